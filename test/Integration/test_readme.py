"""The README's tour shows what its commands print."""

import os
import pathlib
import re
import subprocess

import pytest

import harness

ROOT = pathlib.Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()

# Commands whose output does not depend on the machine, with the lines shown.
EXCERPTS = re.findall(r"^```\n\$ (meanvar-opt .*)\n((?:(?!```).*\n)*)```$", README, re.MULTILINE)


def test_there_are_excerpts():
    assert len(EXCERPTS) >= 2


@pytest.mark.parametrize("command,shown", EXCERPTS)
def test_excerpt(command, shown):
    tools = os.path.dirname(harness.RUNNER)
    environment = dict(os.environ, PATH=tools + os.pathsep + os.environ["PATH"])
    output = subprocess.run(command, shell=True, cwd=ROOT, env=environment, check=True,
                            capture_output=True, text=True).stdout
    printed = " ".join(output.split())
    for line in shown.splitlines():
        if line.strip() != "...":
            assert " ".join(line.split()) in printed
