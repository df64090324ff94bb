"""Measures cases: every engine takes its turn in each of several rounds."""

import contextlib
import dataclasses
import tempfile

import data
from summary import Summary
from workers import Failure, WorkerProcess


@dataclasses.dataclass(frozen=True)
class Effort:
    """How long is measured."""

    rounds: int
    turn_seconds: float  # of one engine in one round
    # An engine that is so slow takes no further turns in a case.
    engine_seconds: float
    min_rounds: int = 2


FULL = Effort(rounds=5, turn_seconds=0.02, engine_seconds=0.5)
QUICK = Effort(rounds=3, turn_seconds=0.015, engine_seconds=0.3)


@dataclasses.dataclass
class CaseResult:
    """What was measured for one case and one number of threads, by engine."""

    case: object
    threads: int
    summaries: dict = dataclasses.field(default_factory=dict)
    failures: dict = dataclasses.field(default_factory=dict)  # reasons
    errors: dict = dataclasses.field(default_factory=dict)  # of wrong results
    # Bytes that the first call has used beside its inputs and its output.
    extra_memory: dict = dataclasses.field(default_factory=dict)

    def to_json(self):
        return {
            "case": self.case.name, "threads": self.threads,
            "failures": self.failures, "errors": self.errors,
            "extra_memory": self.extra_memory,
            "engines": {name: dataclasses.asdict(summary)
                        for name, summary in self.summaries.items()}}


def take_turn(worker, estimates, turn_seconds):
    """Returns the samples. The first turn of an engine finds how long a call is."""
    if worker.engine not in estimates:
        estimates[worker.engine] = worker.request("estimate")["seconds"]
    answer = worker.request(
        "measure", seconds=turn_seconds, estimate=estimates[worker.engine])
    return answer["samples"]


def take_turns(workers, effort, result):
    """All rounds of one case."""
    rounds = {worker.engine: [] for worker in workers}
    estimates = {}
    for index in range(effort.rounds):
        for worker in workers:
            seconds = index * estimates.get(worker.engine, 0)
            is_over = index >= effort.min_rounds and seconds > effort.engine_seconds
            if is_over or worker.engine in result.failures:
                continue
            try:
                turn = take_turn(worker, estimates, effort.turn_seconds)
                rounds[worker.engine].append(turn)
            except Failure as failure:
                result.failures[worker.engine] = str(failure)
    result.summaries = {
        name: Summary.of(samples) for name, samples in rounds.items()
        if name not in result.failures}


class Session:
    """Workers of all engines for one number of threads."""

    def __init__(self, names, threads, cores, real_time, log):
        self.threads = threads
        self.versions, self.remarks, self.missing = {}, {}, {}
        workers = [
            WorkerProcess(name, threads, cores, real_time, log) for name in names]
        for worker in workers:
            worker.send("describe")
        self.workers = [worker for worker in workers if self.describe(worker)]

    def describe(self, worker):
        try:
            answer = worker.receive()
        except Failure as failure:
            self.missing[worker.engine] = str(failure)
            worker.close()
            return False
        self.versions[worker.engine] = answer["version"]
        if answer["remark"]:
            self.remarks[worker.engine] = answer["remark"]
        return True

    def close(self):
        for worker in self.workers:
            worker.close()

    def measure(self, case, effort, directory):
        """`directory` holds the data of the case."""
        result = CaseResult(case, self.threads)
        workers = [worker for worker in self.workers
                   if case.overhead or worker.engine != "meanvar from C"]
        ready = self.prepare(workers, case, directory, result)
        take_turns(ready, effort, result)
        for worker in workers:
            with contextlib.suppress(Failure):  # it has been replaced
                worker.request("release")
        return result

    def prepare(self, workers, case, directory, result):
        """Compiles and checks in all workers; returns those that can go on."""
        for worker in workers:
            worker.send("prepare", case=case.to_json(), directory=directory)
        ready = []
        for worker in workers:
            try:
                answer = worker.receive()
            except Failure as failure:
                result.failures[worker.engine] = str(failure)
                continue
            ready.append(worker)
            if answer["extra_memory"] is not None:
                result.extra_memory[worker.engine] = answer["extra_memory"]
            if not answer["error"] <= data.TOLERANCES[case.element_type]:
                result.errors[worker.engine] = answer["error"]
        return ready


def measure_all(cases, sessions, effort, report_progress):
    """Returns the results of all cases, case by case. `report_progress` is called
    with each."""
    results = []
    for case in cases:
        with tempfile.TemporaryDirectory(prefix="meanvar-benchmark-") as directory:
            data.CaseData(directory).write(case)
            for session in sessions:
                results.append(session.measure(case, effort, directory))
                report_progress(results[-1])
    return results
