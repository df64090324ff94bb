"""What the documentation shows is what happens."""

import doctest
import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).parent.parent.parent


@pytest.mark.parametrize("name", ["README.md", "docs/Python.md"])
def test_examples(name):
    text = (ROOT / name).read_text()
    if "import onnx" in text:
        pytest.importorskip("onnx")
        pytest.importorskip("onnxruntime")
    blocks = re.findall(r"^```python\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert blocks
    example = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, name, name, 0)
    assert example.examples
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    results = runner.run(example)
    assert results.failed == 0 and results.attempted >= 3
