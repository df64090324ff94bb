"""Lets the tests share the cases, references and models of test/Integration."""

import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Integration"))
