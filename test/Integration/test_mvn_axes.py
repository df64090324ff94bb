"""V2: which elements make a lane, for every set of axes and every rank."""

import itertools

import numpy as np
import pytest

from inputs import FLOATS, FORMS, normal
from mvn_programs import run_and_check, run_one


# Sizes of each rank: unequal where they are few, and with a 1 inside.
SHAPES = [(), (5,), (3, 4), (3, 4, 5), (2, 3, 5, 4), (2, 1, 3, 5, 4), (2, 3, 1, 2, 3, 4),
          (3, 2, 2, 1, 2, 3, 2), (2, 3, 1, 2, 2, 1, 2, 3)]
COMBINATIONS = list(itertools.product(FLOATS, FORMS))
OPERATIONS = 16  # of one program


def sets_of_axes(rank):
    return [list(axes) for count in range(1, rank + 1)
            for axes in itertools.combinations(range(rank), count)] or [[]]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("rank", range(5))
def test_v2_every_set_of_axes(rank, dtype, form, tmp_path):
    sets = sets_of_axes(rank)
    x = normal(dtype, SHAPES[rank], seed=rank)
    run_and_check(tmp_path, dtype, [x] * len(sets), [{"axes": axes} for axes in sets], form)


@pytest.mark.parametrize("rank,start", [(rank, start) for rank in range(5, 9)
                                        for start in range(0, 2**rank - 1, OPERATIONS)])
def test_v2_every_set_of_axes_of_higher_ranks(rank, start, tmp_path):
    """Types and forms take turns."""
    dtype, form = COMBINATIONS[(rank + start // OPERATIONS) % len(COMBINATIONS)]
    sets = sets_of_axes(rank)[start:start + OPERATIONS]
    x = normal(dtype, SHAPES[rank], seed=rank)
    run_and_check(tmp_path, dtype, [x] * len(sets), [{"axes": axes} for axes in sets], form)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("size", range(2, 10))
def test_v2_short_innermost_dimension(size, dtype, form, tmp_path):
    """Lanes and numbers of channels that have kernels of their own, with a rest and
    without one. Sizes from 10 on: the next test."""
    for count in (3, 16, 53):
        for shape, axes in [((count, size), [1]), ((2, count, size), [1])]:
            x = normal(dtype, shape, seed=count, mean=3)
            run_and_check(tmp_path, dtype, [x], [{"axes": axes}], form)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("size", range(10, 21))
def test_v2_short_lanes(size, dtype, tmp_path):
    x = normal(dtype, (53, size), seed=size, mean=3)
    run_and_check(tmp_path, dtype, [x], [{"axes": [1]}])


@pytest.mark.parametrize("dtype", FLOATS)
def test_v2_spellings_of_axes(dtype, tmp_path):
    """Negative, unsorted and empty lists, and the default."""
    x = normal(dtype, (3, 4, 2, 5), seed=1)
    spellings = [None, [], [-1], [3, 0, 2], [-2, 1], [1, -4, 3]]
    run_and_check(tmp_path, dtype, [x] * len(spellings),
                  [{} if axes is None else {"axes": axes} for axes in spellings])


@pytest.mark.parametrize("dtype", FLOATS)
def test_v2_rank_0(dtype, tmp_path):
    got = run_one(tmp_path, dtype, np.array(3.5), axes=[])
    assert got.shape == () and got == 0
