import numpy as np

import memory


def test_counts_what_is_free_again():
    size = 64 << 20
    grown = memory.run_and_measure(lambda: np.ones(size, np.uint8))
    assert grown is None or size * 0.9 < grown < size * 1.5


def test_counts_nothing_where_nothing_is_taken():
    array = np.ones(64 << 20, np.uint8)
    grown = memory.run_and_measure(lambda: array.fill(2))
    assert grown is None or grown < 4 << 20
