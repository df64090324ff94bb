"""Programs of one meanvar.mean, run and compared."""

import numpy as np

import harness
import reference
from inputs import dynamic_dims


def program(dtype, shapes, dynamics, result_shape, result_dynamic):
    types = [harness.type_text(dtype, s, d) for s, d in zip(shapes, dynamics)]
    result_type = harness.type_text(dtype, result_shape, result_dynamic)
    body = harness.mean_text("%y", [f"%x{i}" for i in range(len(types))], types,
                             result_type)
    return harness.function_text(types, [body], ["%y"], [result_type])


def run(directory, dtype, arrays, form="static"):
    shapes = [a.shape for a in arrays]
    result_shape = np.broadcast_shapes(*shapes)
    dynamics = [dynamic_dims(form, shape) for shape in shapes]
    text = program(dtype, shapes, dynamics, result_shape,
                   dynamic_dims(form, result_shape))
    return harness.run(directory, text, [(dtype, a) for a in arrays], [dtype])[0]


def run_and_check(directory, dtype, arrays, form="static"):
    got = run(directory, dtype, arrays, form)
    want = reference.mean(arrays)
    reference.check(dtype, got, want, reference.mean_bound(dtype, arrays, want))
    return got


def run_each(directory, dtype, cases, form="static", options=()):
    """One program with one mean for each list of arrays."""
    inputs, body, results, result_types, types = [], [], [], [], []
    for index, arrays in enumerate(cases):
        operands = [f"%x{len(inputs) + i}" for i in range(len(arrays))]
        own = [harness.type_text(dtype, a.shape, dynamic_dims(form, a.shape)) for a in arrays]
        shape = np.broadcast_shapes(*(a.shape for a in arrays))
        result_types.append(harness.type_text(dtype, shape, dynamic_dims(form, shape)))
        results.append(f"%y{index}")
        body.append(harness.mean_text(results[-1], operands, own, result_types[-1]))
        inputs += arrays
        types += own
    text = harness.function_text(types, body, results, result_types)
    return harness.run(directory, text, [(dtype, a) for a in inputs], [dtype] * len(cases),
                       options)


def run_each_and_check(directory, dtype, cases, form="static"):
    got = run_each(directory, dtype, cases, form)
    for one, arrays in zip(got, cases):
        want = reference.mean(arrays)
        reference.check(dtype, one, want, reference.mean_bound(dtype, arrays, want))
