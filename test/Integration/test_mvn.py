"""meanvar.mvn against the exact reference, rule by rule (V1 to V9).

Each test varies what the known answers fix: types, axes, sizes, values. Several
operations share a program where that saves compilations.
"""

import itertools
import math

import numpy as np
import pytest

import harness
import reference
from reference import quantize

FLOATS = ["f16", "bf16", "f32", "f64"]
FORMS = ["static", "dynamic"]
# Largest finite number, smallest normal number and smallest subnormal.
EXTREMES = {
    dtype: (
        math.ldexp(2 - math.ldexp(1, 1 - bits), largest),
        math.ldexp(1.0, smallest),
        math.ldexp(1.0, smallest - bits + 1),
    )
    for dtype, (bits, smallest, largest) in reference.FORMATS.items()
}


def normal(dtype, shape, seed=0, mean=0.0, sigma=1.0):
    values = np.random.default_rng(seed).normal(size=shape)
    return quantize(dtype, mean + sigma * values)


def dynamic_dims(form, shape):
    return range(len(shape)) if form == "dynamic" else ()


def run_each(directory, dtype, arrays, operations, form="static"):
    """Runs one program with one operation on each array; returns the results."""
    types = [harness.type_text(dtype, a.shape, dynamic_dims(form, a.shape))
             for a in arrays]
    body = [harness.mvn_text(f"%y{i}", f"%x{i}", t, **attributes)
            for i, (t, attributes) in enumerate(zip(types, operations))]
    program = harness.function_text(types, body,
                                    [f"%y{i}" for i in range(len(types))], types)
    return harness.run(directory, program, [(dtype, a) for a in arrays],
                       [dtype] * len(arrays))


def run_one(directory, dtype, x, form="static", **attributes):
    return run_each(directory, dtype, [x], [attributes], form)[0]


def check(dtype, got, x, **attributes):
    expected = reference.Mvn(dtype, x, **attributes)
    reference.check(dtype, got, expected.result, expected.bound)


def run_and_check(directory, dtype, arrays, operations, form="static"):
    results = run_each(directory, dtype, arrays, operations, form)
    for got, x, attributes in zip(results, arrays, operations):
        check(dtype, got, x, **attributes)


# V2: axes ---------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("shape", [(5,), (3, 4), (3, 4, 5), (2, 3, 5, 4), (2, 1, 3, 1, 4)],
                         ids=str)
def test_every_set_of_axes(shape, form, tmp_path):
    rank = len(shape)
    sets = [list(axes) for count in range(1, rank + 1)
            for axes in itertools.combinations(range(rank), count)]
    if rank == 5:
        sets = sets[form == "dynamic"::2]  # half of them in each form
    x = normal("f32", shape, seed=rank)
    for start in range(0, len(sets), 8):
        chosen = sets[start:start + 8]
        run_and_check(tmp_path, "f32", [x] * len(chosen),
                      [{"axes": axes} for axes in chosen], form)


@pytest.mark.parametrize("dtype", FLOATS)
def test_spellings_of_axes(dtype, tmp_path):
    """Negative, unsorted and empty lists, and the default."""
    x = normal(dtype, (3, 4, 2, 5), seed=1)
    spellings = [None, [], [-1], [3, 0, 2], [-2, 1], [1, -4, 3]]
    run_and_check(tmp_path, dtype, [x] * len(spellings),
                  [{} if axes is None else {"axes": axes} for axes in spellings])


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("axes", [[], [7], [0], [1, 3, 5], [0, 2, 4, 6]], ids=str)
def test_rank_8(axes, form, tmp_path):
    x = normal("f32", (2, 3, 1, 2, 3, 1, 2, 3), seed=8)
    run_and_check(tmp_path, "f32", [x], [{"axes": axes}], form)


@pytest.mark.parametrize("dtype", FLOATS)
def test_rank_0(dtype, tmp_path):
    got = run_one(tmp_path, dtype, np.array(3.5), axes=[])
    assert got.shape == () and got == 0


# V1: lane lengths and places of the reduced dimensions ------------------------

LENGTHS = [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 255,
           257, 1023, 1025]
PATTERNS = {
    "KR": (lambda n: (3, n), [1]),
    "RK": (lambda n: (n, 3), [0]),
    "KRK": (lambda n: (2, n, 5), [1]),
    "RKR": (lambda n: (2, 3, n), [0, 2]),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_lane_lengths(dtype, pattern, form, tmp_path):
    make_shape, axes = PATTERNS[pattern]
    if form == "dynamic":
        lengths = [1, 7, 33, 129]
    else:
        # Static sizes cost a compilation each; every type takes its share.
        lengths = LENGTHS[FLOATS.index(dtype)::4] + [17]
    arrays = [normal(dtype, make_shape(n), seed=n) for n in lengths]
    run_and_check(tmp_path, dtype, arrays, [{"axes": axes}] * len(arrays), form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("width", [1, 2, 15, 16, 17, 64, 65, 100])
def test_kept_widths(width, form, tmp_path):
    """The kept dimension is the contiguous one."""
    arrays = [normal("f32", (37, width), seed=width),
              normal("f32", (2, 9, width), seed=width + 1)]
    run_and_check(tmp_path, "f32", arrays, [{"axes": [0]}, {"axes": [1]}], form)


@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32"])
@pytest.mark.parametrize("form", FORMS)
def test_images_with_channels_last(dtype, form, tmp_path):
    x = normal(dtype, (2, 13, 11, 3), seed=3, mean=2)
    run_and_check(tmp_path, dtype, [x, x],
                  [{"axes": [1, 2]}, {"axes": [0, 1, 2]}], form)


@pytest.mark.parametrize("axes,shape", [([1], (2, 100003)), ([0], (20011, 5)),
                                        ([], (50, 40, 50))], ids=str)
@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
def test_long_lanes(dtype, axes, shape, tmp_path):
    x = normal(dtype, shape, seed=5, mean=100)
    run_and_check(tmp_path, dtype, [x], [{"axes": axes}])


# V3: epsilon, center_only, statistics -----------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
def test_epsilon(dtype, tmp_path):
    x = normal(dtype, (3, 40), seed=6, sigma=1e-3)
    operations = [{"axes": [1], "epsilon": epsilon, "inside_sqrt": inside}
                  for epsilon in (0.0, 1e-9, 1e-5, 0.5, 1e3) for inside in (False, True)]
    run_and_check(tmp_path, dtype, [x] * len(operations), operations)


@pytest.mark.parametrize("dtype", FLOATS)
def test_extreme_epsilon(dtype, tmp_path):
    """Values of the attribute's type, f64, that the statistics' type lacks."""
    x = normal(dtype, (2, 9), seed=7)
    operations = [{"axes": [1], "epsilon": epsilon, "inside_sqrt": inside}
                  for epsilon in (5e-324, 1e-200, 1e-60, 1e60, 1e300)
                  for inside in (False, True)]
    run_and_check(tmp_path, dtype, [x] * len(operations), operations)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_center_only(dtype, form, tmp_path):
    x = normal(dtype, (5, 6, 37), seed=9, mean=-3, sigma=20)
    operations = [{"axes": axes, "center_only": True} for axes in ([2], [0], [1], [0, 2])]
    run_and_check(tmp_path, dtype, [x] * 4, operations, form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("axes", [[1], [0], [0, 1]], ids=str)
@pytest.mark.parametrize("dtype", FLOATS)
def test_statistics(dtype, axes, form, tmp_path):
    x = normal(dtype, (6, 50), seed=10, mean=4)
    kept = tuple(1 if dim in axes else size for dim, size in enumerate(x.shape))
    statistics_dtype = "f64" if dtype == "f64" else "f32"
    dynamic = dynamic_dims(form, x.shape)
    kept_dynamic = [dim for dim in dynamic if dim not in axes]
    types = [harness.type_text(dtype, x.shape, dynamic)]
    types += [harness.type_text(statistics_dtype, kept, kept_dynamic)] * 2
    options = {"axes": axes, "epsilon": 1e-5, "inside_sqrt": True}
    body = harness.mvn_text("%y, %m, %s", "%x0", types[0], statistics=True, **options)
    program = harness.function_text(types[:1], [body], ["%y", "%m", "%s"], types)
    y, mean, scale = harness.run(tmp_path, program, [(dtype, x)],
                                 [dtype, statistics_dtype, statistics_dtype])
    check(dtype, y, x, **options)
    assert mean.shape == scale.shape == kept
    expected = reference.Mvn(dtype, x, **options)
    tolerance = 1e-14 if dtype == "f64" else 1e-6
    for index, lane in zip(np.ndindex(kept), expected.lanes.values()):
        np.testing.assert_allclose(mean[index], float(lane.mean), rtol=tolerance,
                                   atol=tolerance * float(lane.sigma))
        np.testing.assert_allclose(scale[index], float(lane.scale(1e-5, True)),
                                   rtol=tolerance)


@pytest.mark.parametrize("inside_sqrt", [False, True])
@pytest.mark.parametrize("dtype,value,epsilon", [("f64", 1e150, 1e-300), ("f64", 1e150, 1e-9),
                                                 ("f32", 3e38, 1e-30), ("bf16", 3e38, 1e-9)])
def test_statistics_of_lanes_out_of_range(dtype, value, epsilon, inside_sqrt, tmp_path):
    """V3, V6: the factor of a lane that is computed again, scaled, is not scaled."""
    x = quantize(dtype, [[value] * 40, [-1.0, 1.0] * 20])
    types = [harness.type_text(dtype, x.shape)]
    types += [harness.type_text("f64" if dtype == "f64" else "f32", (2, 1))] * 2
    options = {"axes": [1], "epsilon": epsilon, "inside_sqrt": inside_sqrt}
    body = harness.mvn_text("%y, %m, %s", "%x0", types[0], statistics=True, **options)
    program = harness.function_text(types[:1], [body], ["%y", "%m", "%s"], types)
    kind = "f64" if dtype == "f64" else "f32"
    _, mean, scale = harness.run(tmp_path, program, [(dtype, x)], [dtype, kind, kind])
    tolerance = 1e-15 if dtype == "f64" else 1e-7
    np.testing.assert_allclose(mean[:, 0], [x[0, 0], 0.0], rtol=tolerance)
    factors = [1 / math.sqrt(variance + epsilon) if inside_sqrt
               else 1 / (math.sqrt(variance) + epsilon) for variance in (0.0, 1.0)]
    np.testing.assert_allclose(scale[:, 0], factors, rtol=tolerance)


# V4: constant lanes -----------------------------------------------------------


@pytest.mark.parametrize("epsilon", [None, 0.0], ids=["default", "zero"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_constant_lanes(dtype, form, epsilon, tmp_path):
    """Every lane holds one value, and every lane another one."""
    largest, smallest, subnormal = EXTREMES[dtype]
    if dtype == "f64":
        largest, smallest, subnormal = 1e150, 1e-150, 1e-150
    constants = quantize(dtype, [0.1, 0.7, 3.3, 7, 1234, -1 / 3, 0, largest, -largest,
                                 largest / 3, smallest, subnormal, 3 * subnormal])
    arrays, operations = [], []
    for n in (1, 3, 10, 33, 257, 1000, 4099):
        arrays.append(np.repeat(constants[:, None], n, axis=1))
        operations.append({"axes": [1]})
    for n in (7, 50, 1001):
        arrays.append(np.repeat(constants[None, :], n, axis=0))
        operations.append({"axes": [0]})
    arrays.append(np.broadcast_to(constants[None, :, None], (5, constants.size, 21)).copy())
    operations.append({"axes": [0, 2]})
    if epsilon is not None:
        operations = [dict(o, epsilon=epsilon) for o in operations]
    for x, got in zip(arrays, run_each(tmp_path, dtype, arrays, operations, form)):
        np.testing.assert_array_equal(got, np.zeros(x.shape), err_msg=str(x.shape))


@pytest.mark.parametrize("dtype", FLOATS)
def test_constant_lanes_in_other_clauses(dtype, tmp_path):
    x = quantize(dtype, np.full((2, 333), 0.1))
    operations = [{"axes": [1], "center_only": True}, {"axes": [], "epsilon": 0.0},
                  {"axes": [1], "epsilon": 0.0, "inside_sqrt": True}]
    for got in run_each(tmp_path, dtype, [x] * 3, operations):
        np.testing.assert_array_equal(got, np.zeros(x.shape))


@pytest.mark.parametrize("inside_sqrt", [False, True])
@pytest.mark.parametrize("dtype", FLOATS)
def test_constant_lanes_with_extreme_epsilon(dtype, inside_sqrt, tmp_path):
    """The inverse of the epsilon, or of its root, may overflow the statistics' type."""
    largest = 1e150 if dtype == "f64" else EXTREMES[dtype][0]
    constants = quantize(dtype, [0.1, largest, -largest / 2, 0])
    x = np.repeat(constants[:, None], 100, axis=1)
    operations = [{"axes": [1], "epsilon": epsilon, "inside_sqrt": inside_sqrt}
                  for epsilon in (5e-324, 1e-200, 1e-60, 1e-42, 1e-20, 1.0, 1e60, 1e300)]
    results = run_each(tmp_path, dtype, [x] * len(operations), operations)
    for got, operation in zip(results, operations):
        np.testing.assert_array_equal(got, np.zeros(x.shape), err_msg=str(operation))


@pytest.mark.parametrize("dtype,n", [("f32", 1 << 20), ("f16", 200003), ("bf16", 70001),
                                     ("f64", 300007)])
def test_long_constant_lane(dtype, n, tmp_path):
    x = quantize(dtype, np.full(n, 0.7))
    np.testing.assert_array_equal(run_one(tmp_path, dtype, x, axes=[0]), np.zeros(n))


# V5: accuracy -----------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_large_mean(dtype, form, tmp_path):
    """mean/sigma from 1 to 1e6 (beyond 1e4 the bound grows), and ramps."""
    rows = [normal(dtype, 500, seed=ratio, mean=10.0**ratio) for ratio in range(7)
            if dtype != "f16" or ratio < 5]
    rows += [quantize(dtype, start + np.arange(500.0)) for start in (1000, 40000, 80000)
             if dtype != "f16" or start < 60000]
    x = np.array(rows)
    run_and_check(tmp_path, dtype, [x, x.T.copy()], [{"axes": [1]}, {"axes": [0]}], form)


@pytest.mark.parametrize("dtype", FLOATS)
def test_one_outlier(dtype, tmp_path):
    x = normal(dtype, (3, 1000), seed=11)
    x[0, 0], x[1, 500], x[2, 999] = quantize(dtype, [1000, -1000, 5000])
    run_and_check(tmp_path, dtype, [x], [{"axes": [1]}])


@pytest.mark.parametrize("axis", [1, 0])
@pytest.mark.parametrize("length", [40, 1000, 50000])
@pytest.mark.parametrize("dtype", FLOATS)
def test_outlier_at_any_place(dtype, length, axis, tmp_path):
    """No single element may serve as an estimate of the mean."""
    rows = []
    for place in (0, 1, length // 2, length - 1):
        for size in (10, 1000, 1e4 if dtype == "f16" else 1e7):
            row = normal(dtype, length, seed=place)
            row[place] = quantize(dtype, size)
            rows.append(row)
            # The same at every quarter of the lane, where one might take samples.
            several = row.copy()
            several[[0, length // 4, length // 2, length * 3 // 4, length - 1]] = row[place]
            rows.append(several)
    x = np.array(rows)
    x = x if axis == 1 else x.T.copy()
    run_and_check(tmp_path, dtype, [x], [{"axes": [axis]}])


@pytest.mark.parametrize("axis", [1, 0])
@pytest.mark.parametrize("dtype", FLOATS)
def test_lanes_of_two_values(dtype, axis, tmp_path):
    """Masks and borders: all terms of a partial sum are equal and rounded to one side."""
    length = 1 << 16
    rows = []
    # Values whose multiples f32 rounds especially badly.
    for value in (1.2666997, 1.8894749, 1.9042187, 1 / 3):
        for share in (0.1, 0.2, 0.5):
            row = np.full(length, value)
            row[-int(share * length):] = 0.0
            rows.append(row)
            # And where one might take samples.
            marked = row.copy()
            marked[[0, length // 4, length // 2, length * 3 // 4]] = 0.0
            rows.append(marked)
    x = quantize(dtype, rows)
    x = x if axis == 1 else x.T.copy()
    run_and_check(tmp_path, dtype, [x], [{"axes": [axis]}])


@pytest.mark.parametrize("axis", [1, 0])
@pytest.mark.parametrize("dtype", FLOATS)
def test_first_part_unlike_the_rest(dtype, axis, tmp_path):
    """Steps and ramps: the start of a lane says little about its mean."""
    length = 5000
    step = np.where(np.arange(length) < 64, 1000.0, 0.0)
    rows = [step, step[::-1], 1000 - step, np.where(np.arange(length) < 2500, 1000.0, -1000.0),
            np.linspace(-1000, 1000, length), np.linspace(0, 1000, length) ** 2 / 100]
    x = quantize(dtype, np.array(rows) + np.random.default_rng(17).normal(size=length))
    x = x if axis == 1 else x.T.copy()
    run_and_check(tmp_path, dtype, [x], [{"axes": [axis]}])


# V6: range --------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [None, 0.0], ids=["default", "zero"])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_range(dtype, form, epsilon, tmp_path):
    """Sums and squares that overflow or underflow the type."""
    largest, smallest, subnormal = EXTREMES[dtype]
    if dtype == "f64":
        largest, smallest, subnormal = 1e150, 1e-140, 1e-150
    unit = np.random.default_rng(12).uniform(-1, 1, size=40)
    unit[:2] = 1, -1
    scales = [largest, largest / 3, math.sqrt(largest), math.sqrt(smallest), smallest,
              100 * subnormal, 3 * subnormal]
    rows = [quantize(dtype, unit * scale) for scale in scales]
    rows.append(quantize(dtype, largest * (0.9 + 0.05 * unit)))
    x = np.array(rows)
    operation = {} if epsilon is None else {"epsilon": epsilon}
    run_and_check(tmp_path, dtype, [x, x.T.copy()],
                  [dict(operation, axes=[1]), dict(operation, axes=[0])], form)


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_tiny_sigma_without_epsilon(dtype, tmp_path):
    x = normal(dtype, (4, 100), seed=13, sigma=1e-25)
    run_and_check(tmp_path, dtype, [x, x], [
        {"axes": [1], "epsilon": 0.0},
        {"axes": [1], "epsilon": 0.0, "inside_sqrt": True}])


@pytest.mark.parametrize("inside_sqrt", [False, True])
@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_tiny_and_huge_sigma_with_extreme_epsilon(dtype, inside_sqrt, tmp_path):
    arrays, operations = [], []
    for sigma, epsilon in itertools.product((1e-43, 1e-36, 1e-25, 1e-10, 1e25, 1e37),
                                            (5e-324, 1e-80, 1e-48, 1e-9)):
        arrays.append(normal(dtype, (2, 70), seed=16, sigma=sigma))
        operations.append({"axes": [1], "epsilon": epsilon, "inside_sqrt": inside_sqrt})
    for start in range(0, len(arrays), 8):
        some = slice(start, start + 8)
        run_and_check(tmp_path, dtype, arrays[some], operations[some])


@pytest.mark.parametrize("dtype", FLOATS)
def test_range_of_centered_values(dtype, tmp_path):
    largest = 1e150 if dtype == "f64" else EXTREMES[dtype][0]
    x = quantize(dtype, largest * np.array([[0.9, 0.95, 1.0, 0.99], [0.5, -0.5, 0.4, -0.4]]))
    run_and_check(tmp_path, dtype, [x], [{"axes": [1], "center_only": True}])


# V7: NaN and infinities -------------------------------------------------------


@pytest.mark.parametrize("center_only", [False, True])
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_lanes_with_nan_and_infinity(dtype, form, center_only, tmp_path):
    length = 45
    x = normal(dtype, (12, length), seed=14)
    specials = itertools.product((math.nan, math.inf, -math.inf), (0, 20, length - 1))
    for row, (special, column) in enumerate(specials):
        x[row, column] = special
    x[9, 0], x[9, 1] = math.inf, -math.inf
    operation = {"center_only": center_only}
    run_and_check(tmp_path, dtype, [x, x.T.copy()],
                  [dict(operation, axes=[1]), dict(operation, axes=[0])], form)


@pytest.mark.parametrize("dtype", FLOATS)
def test_other_lanes_keep_their_bits(dtype, tmp_path):
    """V7: a NaN, or an outlier in the sample, touches no lane but its own."""
    x = normal(dtype, (24, 300), seed=15, mean=3)
    marked = x.copy()
    marked[5, 17], marked[11, 150], marked[20, 299] = math.nan, math.inf, 1000.0
    others = [row for row in range(24) if row not in (5, 11, 20)]
    for axes, transpose in (([1], False), ([0], True)):
        arrays = [a.T.copy() if transpose else a for a in (x, marked)]
        plain, got = run_each(tmp_path, dtype, arrays, [{"axes": axes}] * 2)
        if transpose:
            plain, got = plain.T, got.T
        np.testing.assert_array_equal(got[others], plain[others])
        assert np.isnan(got[[5, 11]]).all()


@pytest.mark.parametrize("dtype", FLOATS)
def test_lanes_of_one_nan(dtype, tmp_path):
    x = np.array([[math.nan], [1.0], [math.inf]])
    got = run_one(tmp_path, dtype, x, axes=[1])
    np.testing.assert_array_equal(got, [[math.nan], [0], [math.nan]])


# V8: no elements --------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_no_elements(dtype, form, tmp_path):
    shapes = [(0, 4), (4, 0), (0,), (2, 0, 3), (0, 0)]
    arrays = [np.zeros(shape) for shape in shapes]
    axes = [[1], [1], [0], [0, 2], []]
    results = run_each(tmp_path, dtype, arrays, [{"axes": a} for a in axes], form)
    assert [got.shape for got in results] == shapes


# V9: the same bits ------------------------------------------------------------


@pytest.mark.parametrize("dtype", FLOATS)
def test_same_bits_on_every_run(dtype, tmp_path):
    x = normal(dtype, (7, 1000), seed=15)
    first = run_one(tmp_path, dtype, x, axes=[1])
    np.testing.assert_array_equal(run_one(tmp_path, dtype, x, axes=[1]), first)
