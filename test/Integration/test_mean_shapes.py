"""M2 to M4: broadcasting, sizes at run time and result types."""

import itertools

import numpy as np
import pytest

import harness
import reference
from inputs import FLOATS, FORMS, normal
from mean_programs import program, run_and_check, run_each_and_check


BROADCASTS = {
    "same": [(5, 37), (5, 37)],
    "scalar": [(4, 9), ()],
    "scalar_first": [(), (4, 9)],
    "row": [(6, 33), (33,)],
    "column": [(6, 33), (6, 1)],
    "both": [(7, 1), (1, 19)],
    "three": [(2, 1, 17), (5, 1), (2, 5, 17)],
    "shared_row": [(9, 1, 1), (1, 4, 1), (1, 1, 41)],
    "shared_rows": [(33,), (12, 33), (33,)],
    "inner_and_outer": [(1, 3, 1, 5), (2, 3, 4, 1), (4, 5)],
    "rank_0": [(), ()],
    "all_ones": [(1, 1), (1,)],
    "zero_against_one": [(0, 3), (1, 3)],
    "zero_inside": [(3, 1, 4), (3, 0, 1)],
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", BROADCASTS)
def test_m2_m3_broadcast(name, form, tmp_path):
    """M2, and M3 where the sizes of 1 are known at run time only."""
    dtype = FLOATS[list(BROADCASTS).index(name) % 4]
    arrays = [normal(dtype, shape, seed=i) for i, shape in enumerate(BROADCASTS[name])]
    run_and_check(tmp_path, dtype, arrays, form)


@pytest.mark.parametrize("dynamic", [[], [0], [0, 1]], ids=str)
def test_m4_result_type_that_says_less(dynamic, tmp_path):
    """M4: a declared type with `?` where the operands have sizes."""
    arrays = [normal("f32", (3, 20), seed=1), normal("f32", (20,), seed=2)]
    text = program("f32", [a.shape for a in arrays], [[], []], (3, 20), dynamic)
    [got] = harness.run(tmp_path, text, [("f32", a) for a in arrays], ["f32"])
    want = reference.mean(arrays)
    reference.check("f32", got, want, reference.mean_bound("f32", arrays, want))


SIZES_AT_RUN_TIME = [
    [(4, 8), (4, 8)],
    [(4, 1), (4, 8)],
    [(4, 8), (4, 1)],
    [(1, 8), (4, 8)],
    [(1, 1), (4, 8)],
    [(1, 8), (4, 1)],
    [(1, 1), (1, 1)],
    [(0, 8), (1, 8)],
]


@pytest.mark.parametrize("shapes", SIZES_AT_RUN_TIME, ids=str)
def test_m3_one_at_run_time(shapes, tmp_path):
    """M3: the same program for every pair of shapes."""
    run_and_check(tmp_path, "f32",
                  [normal("f32", s, seed=i) for i, s in enumerate(shapes)], "dynamic")


@pytest.mark.parametrize("shapes,sizes", [
    ([(2, 4), (3, 4)], ("2", "3")),
    ([(4, 5), (4, 7)], ("5", "7")),
    ([(6,), (2, 9)], ("6", "9")),
    ([(0, 4), (3, 4)], ("0", "3")),
    ([(1, 4), (3, 4), (5, 4)], ("3", "5")),
], ids=str)
def test_m3_mismatch_at_run_time(shapes, sizes, tmp_path):
    """M3: refused with both sizes, and nothing is written."""
    rank = max(map(len, shapes))
    text = program("f32", shapes, [range(len(s)) for s in shapes], (0,) * rank, range(rank))
    harness.refuse(tmp_path, text, [("f32", np.ones(s)) for s in shapes], sizes)


def test_m3_mismatch_of_tensors_without_elements(tmp_path):
    """M3: also where the types alone show that there is nothing to compute."""
    text = program("f32", [(0, 3), (0, 4)], [[1], [1]], (0, 0), [1])
    harness.refuse(tmp_path, text, [("f32", np.ones((0, 3))), ("f32", np.ones((0, 4)))],
                   ("3", "4"))


@pytest.mark.parametrize("shapes,sizes", [
    ([(2, 4), (2, 4)], ("2", "3")),
    ([(1, 4), (1, 4)], ("1", "3")),
], ids=str)
def test_m4_declared_size_at_run_time(shapes, sizes, tmp_path):
    """M4: what the declared type adds is checked."""
    text = program("f32", shapes, [[0]] * len(shapes), (3, 4), [])
    harness.refuse(tmp_path, text, [("f32", np.ones(s)) for s in shapes], sizes)
    right = [np.full((3, 4), 2.0), np.full((1, 4), 4.0)]
    [got] = harness.run(tmp_path, text, [("f32", a) for a in right], ["f32"])
    np.testing.assert_array_equal(got, np.full((3, 4), 3.0))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("rank", range(9))
def test_m2_every_rank(rank, form, tmp_path):
    """Each dimension is stretched in one operand, in the other, or in none."""
    dtype = FLOATS[(rank + FORMS.index(form)) % 4]
    sizes = (3, 2, 5, 2, 3, 2, 2, 3)[:rank]
    cases = []
    for turn in range(3):
        shapes = [tuple(1 if (dim + turn) % 3 == which else size
                        for dim, size in enumerate(sizes)) for which in (0, 1)]
        cases.append([normal(dtype, shape, seed=i) for i, shape in enumerate(shapes)])
    cases.append([normal(dtype, sizes, seed=2), normal(dtype, sizes[rank // 2:], seed=3)])
    run_each_and_check(tmp_path, dtype, cases, form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
def test_m2_every_type(dtype, form, tmp_path):
    """Pairs of sizes 0, 1 and more in two dimensions; all of them at run time are in
    RunTimeSizesTest.cpp."""
    cases = []
    for rows, columns in itertools.product([(4, 4), (1, 4), (4, 1), (1, 1), (0, 1)],
                                           [(17, 17), (1, 17), (17, 1)]):
        cases.append([normal(dtype, shape, seed=i)
                      for i, shape in enumerate(zip(rows, columns))])
    run_each_and_check(tmp_path, dtype, cases, form)
