"""Reference for both operators, and the error bounds of docs/Spec.md.

The statistics of a lane and the means are computed exactly, in integers and
fractions of the inputs as they are. Only the last step on each element is rounded,
to the 64 bits of an x87 `longdouble`. Nothing is shared with the compiler.

Values of every element type are held as float64, wanted results as longdouble.
"""

import itertools
import math
from fractions import Fraction

import numpy as np

# Significand bits (with the hidden one), smallest and largest normal exponent.
FORMATS = {
    "f16": (11, -14, 15),
    "bf16": (8, -126, 127),
    "f32": (24, -126, 127),
    "f64": (53, -1022, 1023),
}

# Guard bits of square roots, and of what is rounded to longdouble.
PRECISION = 256


def ulp(dtype, values):
    """Distance of neighbouring `dtype` values at `values`."""
    bits, smallest, _ = FORMATS[dtype]
    exponent = np.frexp(np.abs(np.asarray(values, np.longdouble)))[1] - 1
    exponent = np.where(np.asarray(values) == 0, smallest, exponent)
    return np.ldexp(np.longdouble(1), np.maximum(exponent, smallest) - bits + 1)


def quantize(dtype, values):
    """Rounds float64 values to `dtype`, to nearest even; returns float64."""
    values = np.asarray(values, dtype=np.float64)
    if dtype == "f64":
        return values
    bits, smallest, largest = FORMATS[dtype]
    step = np.maximum(np.frexp(values)[1] - 1, smallest) - bits + 1
    with np.errstate(invalid="ignore", over="ignore"):
        rounded = np.ldexp(np.rint(np.ldexp(values, -step)), step)
    limit = math.ldexp(2.0 - math.ldexp(1.0, 1 - bits), largest)
    return np.where(np.abs(rounded) > limit, np.copysign(np.inf, values), rounded)


def to_longdouble(value):
    """A Fraction, rounded to longdouble."""
    if value == 0:
        return np.longdouble(0)
    shift = PRECISION + value.denominator.bit_length() - abs(value.numerator).bit_length()
    scaled = round(value * Fraction(2) ** shift)
    # Pieces of 62 bits convert exactly.
    high, low = divmod(scaled, 1 << PRECISION - 60)
    middle = low >> PRECISION - 122
    result = np.ldexp(np.longdouble(high), PRECISION - 60)
    result += np.ldexp(np.longdouble(middle), PRECISION - 122)
    return np.ldexp(result, -shift)


def square_root(value):
    """Square root of a non-negative Fraction, to PRECISION bits or more."""
    shift = 2 * (PRECISION + value.denominator.bit_length())
    root = math.isqrt((value.numerator << shift) // value.denominator)
    return Fraction(root, 1 << shift // 2)


def mean(inputs):
    """Elementwise mean of broadcast arrays (M5); IEEE 754 where not finite (M6)."""
    arrays = np.broadcast_arrays(*inputs)
    result = np.empty(arrays[0].shape, np.longdouble)
    for index in np.ndindex(result.shape):
        terms = [float(array[index]) for array in arrays]
        if all(map(math.isfinite, terms)):
            result[index] = to_longdouble(sum(map(Fraction, terms)) / len(terms))
        else:
            result[index] = sum(terms)
    return result


def mean_bound(dtype, inputs, result):
    """The error that M5 allows for each element of `result`."""
    arrays = np.broadcast_arrays(*inputs)
    largest = np.max(np.abs(np.stack(arrays)), axis=0, initial=0).astype(np.longdouble)
    factor = {"f16": 2.0**-22, "bf16": 2.0**-22, "f32": 2.0**-50,
              "f64": len(arrays) * 2.0**-53}[dtype]
    with np.errstate(invalid="ignore"):
        return np.longdouble(0.51) * ulp(dtype, result) + factor * largest


def small_multiples(values):
    """The values as (origin, k, unit), where each is (origin + k) / unit.

    `k` are int64, so small that their squares add up exactly; None where there are none.
    """
    unit = max(value.as_integer_ratio()[1] for value in (values.min(), values.max(), *values[:9]))
    if unit > 1 << 60 or np.abs(values).max() * unit >= 2.0**52:
        return None
    scaled = values * float(unit)  # exact: the unit is a power of two
    if np.any(scaled != np.rint(scaled)):
        return None
    k = scaled.astype(np.int64)
    origin = int(k[0])
    k -= origin
    largest = int(np.abs(k).max())
    return (origin, k, unit) if largest * largest * k.size < 1 << 62 else None


class Lane:
    """Exact statistics of one lane of finite values, an array of float64."""

    def __init__(self, values):
        multiples = small_multiples(values)
        if multiples:
            origin, k, unit = multiples
            count, total, squares = k.size, int(k.sum()), int((k * k).sum())
        else:
            origin = 0
            ratios = [value.as_integer_ratio() for value in values.tolist()]
            unit = max(denominator for _, denominator in ratios)
            scaled = [numerator * (unit // denominator) for numerator, denominator in ratios]
            count, total = len(scaled), sum(scaled)
            squares = sum(value * value for value in scaled)
        self.mean = Fraction(total + count * origin, count * unit)
        self.variance = Fraction(count * squares - total * total, (count * unit) ** 2)
        self.sigma = square_root(self.variance)

    def scale(self, epsilon, inside_sqrt):
        """The factor of V3."""
        epsilon = Fraction(epsilon)
        if inside_sqrt:
            return 1 / square_root(self.variance + epsilon)
        return 1 / (self.sigma + epsilon)


class Mvn:
    """Mean-variance normalization of an array of `dtype` values.

    `result` is what is wanted, NaN in lanes that hold NaN or an infinity (V7), and
    `bound` the error that V5 allows. `lanes` maps the indices along the kept
    dimensions to the Lane, or to None where it is not finite.
    """

    def __init__(self, dtype, x, axes=None, epsilon=1e-9, inside_sqrt=False,
                 center_only=False):
        self.dtype, self.epsilon = dtype, epsilon
        self.inside_sqrt, self.center_only = inside_sqrt, center_only
        self.result = np.full(x.shape, np.longdouble(math.nan))
        self.bound = np.zeros(x.shape, np.longdouble)
        self.lanes = {}
        axes = [0, 2, 3] if axes is None else axes
        reduced = {axis % x.ndim for axis in axes} if axes else set(range(x.ndim))
        indices = [[slice(None)] if dim in reduced else range(size)
                   for dim, size in enumerate(x.shape)]
        for where in itertools.product(*indices):
            kept = tuple(index for index in where if isinstance(index, int))
            values = x[where]
            if values.size == 0:
                continue
            if not np.all(np.isfinite(values)):
                self.lanes[kept] = None
                continue
            self.lanes[kept] = Lane(np.ravel(values))
            self.result[where], self.bound[where] = self.normalize(
                values, self.lanes[kept])

    def normalize(self, values, lane):
        """The result and its bound for some elements of a lane."""
        if lane.variance == 0:  # V4
            return 0, 0
        # The mean in two parts, so that the difference is good to 64 bits and more.
        high = to_longdouble(lane.mean)
        low = to_longdouble(lane.mean - Fraction(*high.as_integer_ratio()))
        y = (values.astype(np.longdouble) - high) - low
        unit = to_longdouble(lane.sigma)
        if not self.center_only:
            y *= to_longdouble(lane.scale(self.epsilon, self.inside_sqrt))
            unit = np.longdouble(1)
        base = np.longdouble(1e-14 if self.dtype == "f64" else 1e-6)
        offset = to_longdouble(abs(lane.mean) / lane.sigma)
        bound = base * np.maximum(1, offset / 10**4) * np.maximum(unit, np.abs(y))
        if self.dtype in ("f16", "bf16"):
            # A result may round across a power of two, where the ulp doubles.
            bound += ulp(self.dtype, np.abs(y) + bound) / 2
        # Nothing is closer than the subnormal numbers are to one another.
        return y, np.maximum(bound, ulp(self.dtype, 0) / 2)


def check_long_lane(dtype, got, lane, **attributes):
    """The same as Mvn and check for one long lane, with less memory."""
    statistics = Lane(lane)
    mvn = Mvn(dtype, lane[:0], [0], **attributes)
    for start in range(0, lane.size, 1 << 20):
        part = slice(start, start + (1 << 20))
        want, bound = mvn.normalize(lane[part], statistics)
        check(dtype, got[part], want, bound)


def check(dtype, got, want, bound):
    """Asserts that each element of `got` is within `bound` of `want`."""
    assert got.shape == want.shape, f"shape {got.shape}, expected {want.shape}"
    if not want.size:
        return
    got = got.astype(np.longdouble)
    with np.errstate(invalid="ignore"):
        distance = np.abs(got - want)
        same = (got == want) | (np.isnan(got) & np.isnan(want))
        wrong = ~same & ~(distance <= bound)
    if not wrong.any():
        return
    with np.errstate(invalid="ignore", divide="ignore"):
        excess = np.where(wrong, np.nan_to_num(distance / bound, nan=np.inf), 0)
    worst = np.unravel_index(np.argmax(excess), excess.shape)
    raise AssertionError(
        f"{wrong.sum()} of {want.size} elements are wrong; worst at "
        f"{tuple(map(int, worst))}: got {got[worst]!r}, expected {want[worst]!r}, "
        f"{distance[worst] / ulp(dtype, want[worst]):.3g} ulp, "
        f"{excess[worst]:.3g} times the bound")
