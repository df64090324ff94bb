"""The label of each rule leads to its text, to where it is kept, and to a test."""

import pathlib
import re

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LABELS = [f"{letter}{number}" for letter, count in (("M", 6), ("V", 9), ("O", 3), ("F", 5))
          for number in range(1, count + 1)]


def read(*directories, suffixes):
    return "\n".join(path.read_text() for directory in directories
                     for path in sorted((ROOT / directory).rglob("*"))
                     if path.suffix in suffixes)


SPECIFICATION = (ROOT / "docs" / "Spec.md").read_text()
SOURCES = read("include", "lib", suffixes={".h", ".cpp", ".td"})
# Names of tests in Python, such as test_v4_..., and in C++, such as TEST(..., V4...).
TEST_NAMES = re.findall(r"^def test_((?:[mvfo]\d_)+)",
                        read("test/Integration", suffixes={".py"}), re.MULTILINE)
TEST_NAMES += re.findall(r"^TEST(?:_F|_P)?\(\w+,\s*((?:[MVFO]\d)+)",
                         read("test/unit", suffixes={".cpp"}), re.MULTILINE)


def test_specification_has_no_other_rules():
    assert re.findall(r"^\*\*([A-Z]\d+)\.", SPECIFICATION, re.MULTILINE) == LABELS


@pytest.mark.parametrize("label", LABELS)
def test_rule_is_kept_somewhere(label):
    assert re.search(rf"\b{label}\b", SOURCES), f"{label} is not in include/ or lib/"


@pytest.mark.parametrize("label", LABELS)
def test_rule_has_a_test(label):
    assert any(label.lower() in name.lower() for name in TEST_NAMES), (
        f"no test is named after {label}")
