"""V9: the same bits. Alignments are in MeanVarToLLVMTest.cpp."""

import numpy as np
import pytest

import harness
import mean_programs
from inputs import FLOATS, FORMS, normal
from mvn_programs import run_each, run_one


@pytest.mark.parametrize("dtype", FLOATS)
def test_v9_same_bits_on_every_run(dtype, tmp_path):
    x = normal(dtype, (7, 1000), seed=15)
    first = run_one(tmp_path, dtype, x, axes=[1])
    np.testing.assert_array_equal(run_one(tmp_path, dtype, x, axes=[1]), first)


@pytest.mark.parametrize("length", [33, 100, 300])
@pytest.mark.parametrize("dtype", FLOATS)
def test_v9_same_bits_whatever_is_beside(dtype, length, tmp_path):
    """Sums of short rows are folded together with those of others, of few and of many."""
    x = normal(dtype, (37, length), seed=16, mean=2)
    arrays = [x[:count] for count in (3, 4, 7, 8, 16, 33, 37)]
    results = run_each(tmp_path, dtype, arrays, [{"axes": [1]}] * len(arrays))
    for got in results:
        np.testing.assert_array_equal(got, results[-1][:len(got)])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_v9_same_bits_past_the_caches(dtype, form, tmp_path):
    """Rows, few channels, panels and segments whose results bypass the caches; where
    they begin to depends on the addresses, which the guards of the buffers vary."""
    shapes = [((5, 1000), [1]), ((3, 501, 3), [1]), ((2, 700, 5), [1]), ((40, 261), [0]),
              ((3, 4, 333), [0, 2]), ((777,), [0]), ((100, 70), [1])]
    arrays = [normal(dtype, shape, seed=i, mean=2) for i, (shape, _) in enumerate(shapes)]
    operations = [{"axes": axes} for _, axes in shapes]
    usual, past = (run_each(tmp_path, dtype, arrays, operations, form,
                            [f"--streaming-bytes={count}"]) for count in (0, 1))
    for first, second in zip(usual, past):
        np.testing.assert_array_equal(second, first)


@pytest.mark.parametrize("dtype", FLOATS)
def test_v9_same_bits_of_means_past_the_caches(dtype, tmp_path):
    cases = [[normal(dtype, shape, seed=i) for i, shape in enumerate(shapes)]
             for shapes in ([(5, 333), (5, 333)], [(7, 261), (261,)], [(1001,)] * 3,
                            [(9, 1), (1, 203)], [(4, 1, 1), (1, 5, 1), (1, 1, 203)])]
    usual, past = (mean_programs.run_each(tmp_path, dtype, cases, "static",
                                          [f"--streaming-bytes={count}"]) for count in (0, 1))
    for first, second in zip(usual, past):
        np.testing.assert_array_equal(second, first)


UNARY = ["math.sqrt", "math.rsqrt", "math.log", "math.sin", "math.absf"]
BINARY = ["arith.addf", "arith.subf", "arith.mulf", "arith.divf", "arith.maximumf"]


def every_operation(kind):
    """A function of %x0 and %x1 that makes NaNs in all ways, from what is passed in and
    from an intermediate result, and the names of the operations."""
    body = [harness.mvn_text("%between", "%x0", kind, axes=[])]
    calls = [(name, operand) for name in UNARY for operand in ("%x1", "%between")]
    calls += [(name, "%x1, %x2") for name in BINARY]
    body += [f"%{i} = {name} {operands} : {kind}" for i, (name, operands) in enumerate(calls)]
    body += [harness.mvn_text("%last", "%x1", kind, axes=[])]
    results = [f"%{i}" for i in range(len(calls))] + ["%last"]
    program = harness.function_text([kind] * 3, body, results, [kind] * len(results))
    return program, [name for name, _ in calls] + ["meanvar.mvn"]


@pytest.mark.parametrize("dtype", FLOATS)
def test_v9_same_nan_at_every_alignment(dtype, tmp_path):
    """What makes a NaN makes the same one in each of the loops of a streamed row: an
    element is in another one where the row begins at another address."""
    specials = np.array([-1, np.inf, 0, np.nan, -np.inf, 2, -0.0])
    inputs = [np.resize([0, 2, 4, 1, 3], 131), np.resize(specials, 131),
              np.resize(specials[:5], 131)]
    program, names = every_operation(harness.type_text(dtype, (131,)))
    (tmp_path / "program.mlir").write_text(program)
    arguments = harness.write_inputs(tmp_path, [(dtype, x) for x in inputs])

    def run_at(side):
        outputs = [tmp_path / f"{side}{i}.npy" for i in range(len(names))]
        process = harness.invoke(
            ["program.mlir", f"--guard-buffers={side}", "--streaming-bytes=1", *arguments,
             *(f"--output=@{path}" for path in outputs)], tmp_path)
        assert process.returncode == 0, process.stderr
        return [path.read_bytes() for path in outputs]

    differing = [name for name, begin, end in zip(names, run_at("begin"), run_at("end"))
                 if begin != end]
    assert not differing
