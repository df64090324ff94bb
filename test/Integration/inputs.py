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
