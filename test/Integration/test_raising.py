"""raise-to-meanvar: programs compute the same as before.

The programs are those of the lit tests in test/Conversion/RaiseToMeanVar.
"""

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

import harness
from inputs import normal

OPT = os.environ.get("MEANVAR_OPT", str(Path(harness.RUNNER).with_name("meanvar-opt")))
PROGRAMS = Path(__file__).parent.parent / "Conversion" / "RaiseToMeanVar"
FILES = ("forms", "stablehlo", "torch-mlir")
# Sizes for `?`: the first is not 1, and none is that of another dimension.
RUN_TIME_SIZES = (6, 5, 7)
UNIT_ROUNDOFFS = {"bf16": 2.0**-9, "f16": 2.0**-11, "f32": 2.0**-24, "f64": 2.0**-53}


def read_programs():
    """Yields the programs of the lit tests by the name of their function."""
    for name in FILES:
        text = (PROGRAMS / f"{name}.mlir").read_text()
        for program in text.split("// -----"):
            yield re.search(r"func\.func @(\w+)", program).group(1), program


def parse_types(text):
    """Returns (element type, sizes) of each tensor type in `text`."""
    types = []
    for sizes in re.findall(r"tensor<([^>]*)>", text):
        *shape, dtype = sizes.split("x")
        free = iter(RUN_TIME_SIZES)
        types.append((dtype, tuple(next(free) if size == "?" else int(size)
                                   for size in shape)))
    return types


def tolerance(dtype, results):
    """Bounds the difference by rounding in the decomposed form.

    Standard normal inputs plus 1 are well conditioned: E[x^2] - E[x]^2 loses a small factor.
    Sums of up to 60 terms, in f32 or wider, and a dozen operations in the type of the result
    round. The raised form is more accurate (V5).
    """
    lane, operations, loss = 60, 12, 4
    error = lane * UNIT_ROUNDOFFS["f64" if dtype == "f64" else "f32"]
    error += operations * UNIT_ROUNDOFFS[dtype]
    return loss * error * max(1.0, np.max(np.abs(results)))


@pytest.mark.parametrize("name,program", [pytest.param(*p, id=p[0]) for p in read_programs()])
def test_raised_programs_agree(tmp_path, name, program):
    raised = subprocess.run([OPT, "--raise-to-meanvar", "-"], input=program, text=True,
                            capture_output=True, check=True).stdout
    assert "meanvar.mvn" in raised and "meanvar.mvn" not in re.sub("//.*", "", program)
    arguments, results = re.search(r"func\.func @\w+\((.*?)\) -> (.*) {", program).groups()
    inputs = [(dtype, normal(dtype, shape, seed=index, mean=1.0))
              for index, (dtype, shape) in enumerate(parse_types(arguments))]
    types = [dtype for dtype, _ in parse_types(results)]
    before = harness.run(tmp_path, program, inputs, types)
    after = harness.run(tmp_path, raised, inputs, types)
    for dtype, expected, got in zip(types, before, after):
        np.testing.assert_allclose(got, expected, rtol=0, atol=tolerance(dtype, expected))
