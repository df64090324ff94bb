"""Types, forms and values that the tests of both operations vary."""

import math
import zlib

import numpy as np

import reference
from reference import quantize

FLOATS = ["f16", "bf16", "f32", "f64"]
# All sizes in the type, some of them, or none.
FORMS = ["static", "partial", "dynamic"]
# Largest finite number, smallest normal number and smallest subnormal.
EXTREMES = {
    dtype: (
        math.ldexp(2 - math.ldexp(1, 1 - bits), largest),
        math.ldexp(1.0, smallest),
        math.ldexp(1.0, smallest - bits + 1),
    )
    for dtype, (bits, smallest, largest) in reference.FORMATS.items()
}
# Every small size, and those around the sizes of vectors, blocks and tiles.
SIZES = [*range(1, 41), *(size + step for size in (64, 128, 1024) for step in (-1, 0, 1))]


def normal(dtype, shape, seed=0, mean=0.0, sigma=1.0):
    values = np.random.default_rng(seed).normal(size=shape)
    return quantize(dtype, mean + sigma * values)


def dynamic_dims(form, shape):
    """The dimensions to declare as `?`; with `partial` the even or the odd ones."""
    if form == "partial":
        return range(zlib.crc32(repr(shape).encode()) % 2, len(shape), 2)
    return range(len(shape)) if form == "dynamic" else ()


# At random -------------------------------------------------------------------

RANDOM_SIZES = [0, 1, 1, 2, 3, 4, 5, 7, 8, 13, 16, 17, 32, 33, 48, 65, 100, 131]
RANDOM_ELEMENTS = 20000  # of one tensor, at most


def random_shape(rng, rank):
    shape = []
    for _ in range(rank):
        room = RANDOM_ELEMENTS // max(1, int(np.prod([max(1, s) for s in shape])))
        shape.append(int(rng.choice([s for s in RANDOM_SIZES if s <= room])))
    return tuple(rng.permutation(shape).tolist()) if shape else ()


def random_values(rng, dtype, shape):
    mean, sigma = rng.choice([0, 1, 50]), rng.choice([0.01, 1, 30])
    return quantize(dtype, mean + sigma * rng.normal(size=shape))


def random_dynamic(rng, shape):
    share = rng.choice([0, 0.5, 1])
    return [dim for dim in range(len(shape)) if rng.random() < share]
