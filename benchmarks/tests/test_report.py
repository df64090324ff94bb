import types

import report
from cases import mvn
from summary import Summary


def result(seconds, failures=(), errors=(), threads=1):
    """`seconds` are of one sample in each of two rounds, by engine."""
    return types.SimpleNamespace(
        case=mvn("rows", (1000, 1000), (1,)),
        threads=threads,
        summaries={name: Summary.of([[one], [one]]) for name, one in seconds.items()},
        failures=dict(failures),
        errors=dict(errors),
        extra_memory={},
    )


def row(*arguments, peers=("XLA", "NumPy")):
    notes = report.Notes()
    lines = report.results_table([result(*arguments)], peers, notes).splitlines()
    cells = [cell.strip() for cell in lines[2].strip("|").split("|")]
    return cells, notes.lines()


def test_numbers_have_three_digits():
    assert report.format_number(1234.5) == "1234"
    assert report.format_number(12.345) == "12.3"
    assert report.format_number(0.01234) == "0.01"
    assert report.format_time(1.5e-6) == "1.50"
    assert report.format_time(12.3e-9) == "0.012"


def test_row_of_a_case():
    cells, notes = row({
        "meanvar": 2e-3, "XLA": 4e-3, "NumPy": 1e-2, "memcpy": 1e-3,
        "streaming copy": 1.6e-3})
    assert cells == ["rows [1000,1000] axes [1] f32", "2000", "2000", "0%", "4.00",
                     "2.00", "**2.00**", "5.00"]
    assert notes == []


def test_wrong_results_are_marked_and_never_the_fastest():
    cells, notes = row({"meanvar": 2e-3, "XLA": 1e-3, "NumPy": 1e-2}, (), {"XLA": 0.5})
    assert cells[-2:] == ["0.50 ✗ 5e-01", "**5.00**"]
    assert notes == []


def test_failures_have_notes():
    cells, notes = row({"meanvar": 2e-3, "NumPy": 1e-2}, {"XLA": "no | bars"})
    assert cells[-2] == "– [1]"
    assert notes == ["1. XLA: no / bars"]


def test_a_failure_of_meanvar_is_shown():
    cells, notes = row({"NumPy": 1e-2}, {"meanvar": "bug"})
    assert cells[1:] == ["– [1]", "–", "–", "–", "–", "–", "–"]
    assert notes == ["1. meanvar: bug"]


def test_equal_notes_have_one_number():
    notes = report.Notes()
    assert [notes.refer("a"), notes.refer("b"), notes.refer("a")] == ["[1]", "[2]", "[1]"]


def test_summary_names_slower_cases():
    text = report.summary_text([
        result({"meanvar": 2e-3, "XLA": 1e-3}), result({"meanvar": 1e-3, "XLA": 8e-3})])
    assert "| all cases | 2 | **2.00** | 0.50 | 8.00 |" in text
    assert "in every round: 1 of 2 cases:" in text
    assert "* rows [1000,1000] axes [1] f32 (0.50, XLA)" in text


def test_scaling_compares_numbers_of_threads():
    text = report.scaling_table([
        result({"meanvar": 2e-3, "memcpy": 3e-3}),
        result({"meanvar": 1e-3, "memcpy": 2e-3}, threads=2)])
    assert text.splitlines()[2:] == []  # 8 MB are 8 << 20 bytes
    large = mvn("rows", (2000, 2000), (1,))
    results = [result({"meanvar": 2e-3, "memcpy": 3e-3}),
               result({"meanvar": 1e-3, "memcpy": 2e-3}, threads=2)]
    for one in results:
        one.case = large
    assert report.scaling_table(results).splitlines()[2] == (
        "| rows [2000,2000] axes [1] f32 | 2.00 | 1.50 |")


def test_memory_names_the_case_that_takes_most():
    results = [result({}), result({}, threads=2), result({})]
    for one, size in zip(results, (0, 3 << 20, 1 << 19)):
        one.extra_memory = {"meanvar": size}
    assert report.memory_table(results).splitlines()[2:] == [
        "| meanvar | 0.5 | 3.0 | rows [1000,1000] axes [1] f32, 2 threads |"]
    assert report.memory_table([result({})]) == ""
