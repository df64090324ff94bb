#!/usr/bin/env python3
"""Measures meanvar beside its peers and writes RESULTS.md. Run by run.sh, which
installs the peers and builds meanvar."""

import argparse
import json
import os
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).parent
BUILD = HERE.parent / "build/benchmarks"

EXAMPLES = """\
examples:
  benchmarks/run.sh                          everything, to benchmarks/RESULTS.md
  benchmarks/run.sh --quick                  the main cases, to build/benchmarks
  benchmarks/run.sh --filter 'rows [1024'    cases whose names contain the text
  benchmarks/run.sh --engines meanvar,memcpy,'streaming copy' --threads 1
"""


def parse_arguments():
    parser = argparse.ArgumentParser(
        prog="benchmarks/run.sh", description=__doc__, epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--filter", metavar="TEXT",
                        help="only cases whose names contain TEXT")
    parser.add_argument("--quick", action="store_true",
                        help="a few cases, fewer rounds")
    parser.add_argument("--threads", default="1,2", metavar="N[,N]...",
                        help="numbers of threads (default: %(default)s)")
    parser.add_argument("--engines", metavar="NAME[,NAME]...",
                        help="only these engines (default: all that are installed)")
    parser.add_argument("--real-time", action="store_true",
                        help="schedule engines before all other processes while they "
                             "are timed (as root)")
    parser.add_argument("--with-pytorch", action="store_true",
                        help="install PyTorch, too, which is large")
    parser.add_argument("--output", type=pathlib.Path, metavar="DIRECTORY",
                        help="where RESULTS.md and its plots go (default: benchmarks, "
                             "or build/benchmarks for a part of the cases)")
    parser.add_argument("--list", action="store_true",
                        help="list the cases and stop")
    options = parser.parse_args()
    options.threads = [int(count) for count in options.threads.split(",")]
    if not all(1 <= count <= os.cpu_count() for count in options.threads):
        parser.error(f"--threads: allowed: 1 to {os.cpu_count()}")
    is_part = options.quick or options.filter or options.engines
    options.output = options.output or (BUILD if is_part else HERE)
    if options.real_time and os.geteuid() != 0:
        parser.error("--real-time: only root may do that")
    return options


def choose_engines(names):
    import engines

    if names is None:
        return list(engines.ALL)
    chosen = names.split(",")
    unknown = [name for name in chosen if name not in engines.ALL]
    if unknown:
        sys.exit(f"error: unknown engine {unknown[0]!r} "
                 f"(allowed: {', '.join(engines.ALL)})")
    return chosen


def choose_cores(count):
    """The last cores: the first one serves more interrupts."""
    return sorted(os.sched_getaffinity(0))[-count:]


class Progress:
    """A line on standard error for each result."""

    def __init__(self, total):
        self.total, self.count, self.start = total, 0, time.monotonic()

    def report(self, result):
        from report import fastest_peer, format_time, peer_ratio

        self.count += 1
        text = "–"
        peer = fastest_peer(result)
        if "meanvar" in result.summaries:
            text = f"{format_time(result.summaries['meanvar'].median)} µs"
            if peer:
                text += f", {peer_ratio(result, peer):.2f}× over {peer}"
        elapsed = time.monotonic() - self.start
        print(f"[{self.count}/{self.total}, {elapsed:.0f} s] {result.case.name}, "
              f"threads {result.threads}: {text}", file=sys.stderr, flush=True)


def write_results(results, sessions, effort, other_work, directory):
    import machine
    from plot import plot_relative_to_copy
    from report import write_report

    directory.mkdir(parents=True, exist_ok=True)
    with open(BUILD / "results.json", "w") as file:
        json.dump([result.to_json() for result in results], file, indent=1)
    plots = {}
    for session in sessions:
        own = [result for result in results if result.threads == session.threads]
        name = f"results-{session.threads}.svg"
        if plot_relative_to_copy(own, directory / name):
            plots[session.threads] = name
    text = write_report(results, sessions, machine.describe(other_work), effort, plots)
    (directory / "RESULTS.md").write_text(text)
    print(f"wrote {directory / 'RESULTS.md'}", file=sys.stderr)


def main():
    options = parse_arguments()
    import cases
    import machine
    from measure import FULL, QUICK, Session, measure_all

    chosen = cases.select(options.filter, options.quick)
    if options.list:
        print(*(case.name for case in chosen), sep="\n")
        return
    if not chosen:
        sys.exit(f"error: no case contains {options.filter!r} (--list shows them)")
    names = choose_engines(options.engines)
    effort = QUICK if options.quick else FULL
    BUILD.mkdir(parents=True, exist_ok=True)
    other_work = machine.OtherWork()
    with open(BUILD / "workers.log", "w") as log:
        sessions = [
            Session(names, count, choose_cores(count), options.real_time, log)
            for count in options.threads]
        progress = Progress(len(chosen) * len(sessions))
        results = measure_all(chosen, sessions, effort, progress.report)
        for session in sessions:
            session.close()
    write_results(results, sessions, effort, other_work.share(), options.output)


if __name__ == "__main__":
    main()
