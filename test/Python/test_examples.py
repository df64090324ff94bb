"""Each program of examples/python runs and checks itself."""

import pathlib
import runpy

import pytest

PROGRAMS = sorted((pathlib.Path(__file__).resolve().parents[2] / "examples/python").glob("*.py"))


def test_there_are_programs():
    assert PROGRAMS


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.stem)
def test_example(program, capsys):
    runpy.run_path(str(program), run_name="__main__")
    assert capsys.readouterr().out
