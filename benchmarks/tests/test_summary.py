import pytest

from summary import Summary, compare, geometric_mean, is_slower_beyond_noise, ratio


def summary(*round_medians):
    return Summary.of([[median] for median in round_medians])


def test_summary_takes_medians_of_rounds_and_of_all_samples():
    result = Summary.of([[1.0, 2.0, 9.0], [4.0], [3.0, 5.0]])
    assert result.round_medians == (2.0, 4.0, 4.0)
    assert result.median == 3.5
    assert result.minimum == 1.0


def test_spread_is_half_of_the_range():
    assert summary(9.0, 10.0, 11.0).spread == pytest.approx(0.1)
    assert summary(7.0).spread == 0


def test_engines_are_compared_within_rounds():
    # The third round was slow for both.
    assert compare(summary(2, 2, 20), summary(1, 1, 10)) == [2, 2, 2]
    assert ratio(summary(2, 3, 40), summary(1, 1, 10)) == 3


def test_rounds_that_only_one_engine_had_do_not_count():
    assert compare(summary(2, 2), summary(1, 1, 100)) == [2, 2]


def test_slower_means_slower_in_every_round():
    assert is_slower_beyond_noise(summary(2, 3), summary(1, 2))
    assert not is_slower_beyond_noise(summary(2, 3), summary(1, 3))


def test_geometric_mean():
    assert geometric_mean([1, 4]) == pytest.approx(2)
    assert geometric_mean([0.5, 2]) == pytest.approx(1)
