"""Programs of meanvar.mvn, one operation an array, run and compared."""

import harness
import reference
from inputs import dynamic_dims


def run_each(directory, dtype, arrays, operations, form="static", options=()):
    """Runs one program with one operation on each array; returns the results."""
    types = [harness.type_text(dtype, a.shape, dynamic_dims(form, a.shape))
             for a in arrays]
    body = [harness.mvn_text(f"%y{i}", f"%x{i}", t, **attributes)
            for i, (t, attributes) in enumerate(zip(types, operations))]
    program = harness.function_text(types, body,
                                    [f"%y{i}" for i in range(len(types))], types)
    return harness.run(directory, program, [(dtype, a) for a in arrays],
                       [dtype] * len(arrays), options)


def run_one(directory, dtype, x, form="static", **attributes):
    return run_each(directory, dtype, [x], [attributes], form)[0]


def check(dtype, got, x, **attributes):
    expected = reference.Mvn(dtype, x, **attributes)
    reference.check(dtype, got, expected.result, expected.bound)


def run_and_check(directory, dtype, arrays, operations, form="static"):
    results = run_each(directory, dtype, arrays, operations, form)
    for index, (got, x, attributes) in enumerate(zip(results, arrays, operations)):
        try:
            check(dtype, got, x, **attributes)
        except AssertionError as error:
            raise AssertionError(f"result {index}, {x.shape}, {attributes}: {error}") from error
