"""RESULTS.md: the machine, a summary, a table for each number of threads, and what
could not be measured."""

import statistics

import engines
from summary import compare, geometric_mean, is_slower_beyond_noise, ratio

INTRODUCTION = """\
# Results of the benchmarks

Written by `benchmarks/run.sh`; [README.md](README.md) says what is measured and how.
Do not edit.
"""

LEGEND = """\
`median`, `min`: µs of one call of meanvar. `±`: half of the range of its medians in
the rounds. `GB/s`: bytes of all inputs and of the output, divided by the median.
`copy`: meanvar's time divided by that of the faster copy (memcpy or streaming stores)
of as many bytes. Columns of peers: the peer's time divided by meanvar's, above 1 where
meanvar is faster; the fastest right peer is **bold**; `✗` marks a wrong result with its
largest difference from float64; numbers in brackets refer to the notes. Ratios are
medians over the rounds.
"""


class Notes:
    """Numbers texts in the order of their first use."""

    def __init__(self):
        self.numbers = {}

    def refer(self, text):
        return f"[{self.numbers.setdefault(text, len(self.numbers) + 1)}]"

    def lines(self):
        return [f"{number}. {text}" for text, number in self.numbers.items()]


def format_number(value, digits=3):
    """`digits` significant digits, and no exponent."""
    decimals = max(0, digits - len(str(int(abs(value)))))
    return f"{value:.{decimals}f}"


def format_time(seconds):
    """In µs; below one, the digits are of nanoseconds."""
    value = seconds * 1e6
    return f"{value:.3f}" if value < 1 else format_number(value)


def mark_error(text, result, name):
    """Adds the error of a wrong result to a cell."""
    return f"{text} ✗ {result.errors[name]:.0e}" if name in result.errors else text


def table(header, rows):
    """A table of Markdown; all columns but the first are aligned right."""
    alignment = ["---"] + ["---:"] * (len(header) - 1)
    lines = [header, alignment, *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def fastest_copy(result):
    copies = [result.summaries[name] for name in engines.COPIES
              if name in result.summaries]
    return min(copies, key=lambda summary: summary.median, default=None)


def fastest_peer(result):
    """The name of the fastest peer with right results, or None."""
    names = [name for name in engines.PEERS
             if name in result.summaries and name not in result.errors]
    return min(names, key=lambda name: result.summaries[name].median, default=None)


def peer_ratio(result, name):
    return ratio(result.summaries[name], result.summaries["meanvar"])


def peer_cell(result, name, notes):
    if name in result.failures:
        reason = shorten(result.failures[name])
        return f"– {notes.refer(f'{name}: {reason}')}"
    if name not in result.summaries or "meanvar" not in result.summaries:
        return "–"
    text = format_number(peer_ratio(result, name))
    if name == fastest_peer(result):
        return f"**{text}**"
    return mark_error(text, result, name)


def shorten(reason, limit=160):
    """A reason as it fits into a note; bars would end a cell."""
    reason = reason.replace("|", "/")
    return reason if len(reason) <= limit else reason[: limit - 1] + "…"


def own_cells(result, notes):
    summary = result.summaries.get("meanvar")
    if summary is None:
        reason = shorten(result.failures.get("meanvar", "not measured"))
        return [f"– {notes.refer(f'meanvar: {reason}')}"] + ["–"] * 4
    copy = None if result.case.overhead else fastest_copy(result)
    return [
        mark_error(format_time(summary.median), result, "meanvar"),
        format_time(summary.minimum),
        f"{summary.spread:.0%}",
        format_number(result.case.useful_bytes / summary.median * 1e-9),
        format_number(ratio(summary, copy)) if copy else "–",
    ]


def results_table(results, peers, notes):
    header = ["case", "median", "min", "±", "GB/s", "copy", *peers]
    rows = [
        [result.case.name, *own_cells(result, notes),
         *(peer_cell(result, peer, notes) for peer in peers)]
        for result in results
    ]
    return table(header, rows)


def comparable(results):
    """The results that have meanvar and a peer, with the name of the fastest."""
    return [(result, fastest_peer(result)) for result in results
            if "meanvar" in result.summaries and fastest_peer(result)]


def slower_cases(pairs):
    """The cases in which meanvar takes longer than a peer in every round."""
    return [
        f"{result.case.name} ({format_number(peer_ratio(result, name))}, {name})"
        for result, name in pairs
        if is_slower_beyond_noise(result.summaries["meanvar"], result.summaries[name])
    ]


def groups_table(pairs):
    """Geometric means over the fastest peers, by operation and element type."""
    groups = {}
    for result, name in pairs:
        value = peer_ratio(result, name)
        groups.setdefault("all cases", []).append(value)
        groups.setdefault(result.case.group, []).append(value)
    rows = [
        [group, str(len(ratios)), f"**{geometric_mean(ratios):.2f}**",
         f"{min(ratios):.2f}", f"{max(ratios):.2f}"]
        for group, ratios in groups.items()
    ]
    return table(["cases", "number", "geometric mean", "least", "most"], rows)


def summary_text(results):
    """How meanvar compares with the fastest peer of each case."""
    pairs = comparable(results)
    if not pairs:
        return "No case was measured in meanvar and in a peer.\n"
    slower = slower_cases(pairs)
    return "\n".join([
        "Time of the fastest right peer of each case divided by meanvar's:\n",
        groups_table(pairs), "",
        f"Slower than the fastest peer in every round: {len(slower)} of {len(pairs)} "
        f"cases{':' if slower else '.'}\n",
        *(f"* {line}" for line in slower), ""])


def scaling_table(results):
    """One thread divided by several, for meanvar and the faster copy."""
    by_name = {}
    for result in results:
        by_name.setdefault(result.case.name, {})[result.threads] = result
    rows = []
    for name, by_threads in by_name.items():
        few, many = by_threads[min(by_threads)], by_threads[max(by_threads)]
        if few.case.useful_bytes < 8 << 20 or few.threads == many.threads:
            continue
        if not all("meanvar" in result.summaries for result in (few, many)):
            continue
        speedup = few.summaries["meanvar"].median / many.summaries["meanvar"].median
        copies = fastest_copy(few), fastest_copy(many)
        copy = format_number(copies[0].median / copies[1].median) if all(copies) else "–"
        rows.append([name, format_number(speedup), copy])
    return table(["case", "meanvar", "copy"], rows) if rows else ""


def overhead_table(results):
    """µs of a call that computes next to nothing, through each interface."""
    names = [*engines.OWN, *engines.PEERS]
    rows = [
        [f"{result.case.name}, {count_threads(result.threads)}",
         *(format_time(result.summaries[name].median) if name in result.summaries
           else "–" for name in names)]
        for result in results if result.case.overhead
    ]
    return table(["case", *names], rows) if rows else ""


def memory_table(results):
    """Of each engine, what its calls use beside inputs and output."""
    rows = []
    for name in ["meanvar", *engines.PEERS]:
        cases = [(result.extra_memory[name], result) for result in results
                 if name in result.extra_memory]
        if not cases:
            continue
        most, largest = max(cases, key=lambda pair: pair[0])
        typical = statistics.median(size for size, _ in cases)
        rows.append([name, format_megabytes(typical), format_megabytes(most),
                     f"{largest.case.name}, {count_threads(largest.threads)}"])
    return table(["engine", "median", "most", "of"], rows) if rows else ""


def format_megabytes(size):
    return f"{size / (1 << 20):.1f}"


def versions_table(sessions):
    rows = []
    for name in engines.ALL:
        versions = [session.versions[name] for session in sessions
                    if session.versions.get(name)]
        missing = [session.missing[name] for session in sessions
                   if name in session.missing]
        if versions or missing:
            remarks = {session.remarks[name] + f" (threads: {session.threads})"
                       for session in sessions if name in session.remarks}
            state = versions[0] if versions else "not measured"
            rows.append([name, state, "; ".join(
                [*sorted(remarks), *map(shorten, missing[:1])])])
    return table(["engine", "version", "remark"], rows)


def count_threads(threads):
    return f"{threads} thread{'' if threads == 1 else 's'}"


def threads_section(results, threads, peers):
    notes = Notes()
    body = results_table(results, peers, notes)
    parts = [f"## {count_threads(threads).capitalize()}\n", summary_text(results), body, ""]
    if notes.numbers:
        parts += ["Notes:\n", *notes.lines(), ""]
    return "\n".join(parts)


def write_report(results, sessions, facts, effort, plots):
    """The text of RESULTS.md. `plots` maps numbers of threads to file names."""
    parts = [INTRODUCTION, table(["", ""], [[f"{name}", value] for name, value in facts]),
             "", versions_table(sessions), "",
             f"{effort.rounds} rounds; in each, every engine takes samples for about "
             f"{effort.turn_seconds * 1e3:.0f} ms.\n", LEGEND]
    peers = [name for name in engines.PEERS
             if any(name in result.summaries for result in results)]
    for session in sessions:
        own = [result for result in results if result.threads == session.threads]
        parts.append(threads_section(own, session.threads, peers))
        if session.threads in plots:
            parts.append(f"![times relative to a copy]({plots[session.threads]})\n")
    scaling = scaling_table(results)
    if scaling:
        parts += ["## More threads\n", "How many times as fast as on one thread, for "
                  "cases that move at least 8 MB.\n", scaling, ""]
    overhead = overhead_table(results)
    if overhead:
        parts += ["## One call\n", "Median µs of calls with next to no data, through "
                  "the Python interface of each but `meanvar from C`.\n", overhead, ""]
    memory = memory_table(results)
    if memory:
        parts += ["## Memory\n", "MB that a process uses during the first call of a case "
                  "beside what it had before, which are inputs and output, over all "
                  "cases.\n", memory, ""]
    return "\n".join(parts)
