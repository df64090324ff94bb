import json

import cases
from cases import Case


def test_names_are_unique():
    names = [case.name for case in cases.CASES]
    assert len(names) == len(set(names))


def test_names():
    assert cases.MAIN[0].name == "rows [4096,768] axes [1] f32"
    assert cases.MAIN[0].replace(dynamic=True).name.endswith(" f32 sizes ?")
    assert cases.mean("mean of", (2, 3), (3,)).name == "mean of [2,3]+[3] f32"
    assert cases.mean("mean of", (3,), (3,)).name == "mean of 2 × [3] f32"


def test_output_shape_is_the_broadcast():
    assert cases.mean("", (64, 1, 1), (1, 64, 1), (1024,)).output_shape == (64, 64, 1024)


def test_useful_bytes_count_every_input_and_the_output():
    assert cases.mvn("", (4, 8), (1,), element_type="f16").useful_bytes == 2 * 32 * 2
    assert cases.mean("", (4, 8), (8,)).useful_bytes == (32 + 8 + 32) * 4


def test_cases_survive_json():
    for case in cases.CASES:
        assert Case.from_json(json.loads(json.dumps(case.to_json()))) == case


def test_selection():
    assert cases.select() == cases.CASES
    assert {case.name for case in cases.select(quick=True)} == cases.QUICK_NAMES
    assert all("bf16" in case.name for case in cases.select("bf16"))
    assert cases.select("no such case") == []
