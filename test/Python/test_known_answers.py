"""Every program of test/Integration/cases.json gives its known answer from Python."""

import numpy as np
import pytest
import test_cases as integration
from arrays import DTYPES

import meanvar


def operands(case):
    return [integration.contents(i).astype(DTYPES[i["dtype"]]) for i in case["inputs"]]


def call(case, arrays):
    if case["op"] == "mvn":
        return meanvar.mvn(*arrays, **integration.mvn_attributes(case))
    return meanvar.mean(*arrays)


def compile_and_call(case, arrays):
    return meanvar.compile(integration.program_text(case))(*arrays)


def compile_dynamic_and_call(case, arrays):
    return compile_and_call(integration.every_dimension_dynamic(case), arrays)


@pytest.mark.parametrize("run", [call, compile_and_call, compile_dynamic_and_call])
@pytest.mark.parametrize("case", integration.CASES, ids=lambda case: case["id"])
def test_known_answer(case, run):
    arrays = operands(case)
    copies = [array.copy() for array in arrays]
    if "error" in case:
        with pytest.raises(ValueError) as error:
            run(case, arrays)
        assert all(word in str(error.value) for word in case["error"]), error.value
        return
    got = run(case, arrays)
    assert got.dtype == DTYPES[case["output"]["dtype"]]
    integration.check(case, got.astype(np.float64))
    for array, copy in zip(arrays, copies):
        np.testing.assert_array_equal(array, copy)
