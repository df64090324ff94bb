"""The process of one engine. Reads requests from standard input and answers them on
standard output, a line of JSON each; workers.py is the other side.

    worker.py ENGINE THREADS CORE[,CORE]... [real-time]
"""

import contextlib
import gc
import json
import math
import os
import sys
import time

# Workers of one thread use one core, whatever their libraries do.
os.sched_setaffinity(0, map(int, sys.argv[3].split(",")))

import numpy as np  # noqa: E402

import data  # noqa: E402
import engines  # noqa: E402
import memory  # noqa: E402
from cases import Case  # noqa: E402

BATCH_SECONDS = 50e-6  # of one sample at least: the clock must not matter
MAX_SAMPLES = 100
LONG_CALL_SECONDS = 0.1
QUIET_SECONDS = 0.002
MAX_QUIET_WAIT_SECONDS = 0.5


def schedule_threads(policy, priority):
    for thread in os.listdir("/proc/self/task"):
        with contextlib.suppress(ProcessLookupError):  # it has ended since
            os.sched_setscheduler(int(thread), policy, os.sched_param(priority))


@contextlib.contextmanager
def real_time():
    """Schedules this process before all others."""
    schedule_threads(os.SCHED_FIFO, 1)
    try:
        yield
    finally:
        schedule_threads(os.SCHED_OTHER, 0)


class Worker:
    def __init__(self, engine, while_timed):
        """`while_timed` makes the context that calls are timed in."""
        self.engine = engine
        self.while_timed = while_timed
        self.program, self.arrays = None, ()

    def describe(self):
        return {"version": self.engine.version(), "remark": self.engine.remark}

    def prepare(self, case, directory):
        """Compiles, runs, and compares with the reference."""
        case = Case.from_json(case)
        files = data.CaseData(directory)
        inputs = files.read_inputs(case)
        output = data.allocate(case.output_shape, data.DTYPES[case.element_type])
        output.reshape(-1).view(np.uint8)[:] = 0xFF  # NaN until it is written
        self.arrays = inputs, output  # programs hold their addresses
        self.program = self.engine.prepare(case, inputs, output)
        extra_memory = memory.run_and_measure(self.program.run)
        result = self.program.result()
        error = 0.0
        if result is not None:
            error = data.largest_error(result, files.read_reference(case))
        return {"error": error, "extra_memory": extra_memory}

    def estimate(self):
        """The seconds of a call that is not the first."""
        with self.while_timed():
            seconds = self.program.measure(1, 1)
            if seconds[0] < LONG_CALL_SECONDS:
                seconds = self.program.measure(5, 1)
        return {"seconds": min(seconds)}

    def measure(self, seconds, estimate):
        """Takes samples for about `seconds`, after a call to fill the caches (which
        long calls empty anyway). Looks at the clock now and then, for calls that
        take longer than estimated."""
        repetitions = max(1, math.ceil(BATCH_SECONDS / estimate))
        chunk = max(1, int(seconds / (estimate * repetitions) / 4))
        samples = []
        with self.while_timed():
            deadline = time.perf_counter() + seconds
            if estimate < LONG_CALL_SECONDS:
                self.program.run()
            while not samples or (
                    time.perf_counter() < deadline and len(samples) < MAX_SAMPLES):
                samples += self.program.measure(min(chunk, MAX_SAMPLES), repetitions)
            self.wait_until_quiet()
        return {"samples": samples}

    def wait_until_quiet(self):
        """Waits until threads of the engine sleep: some spin for the next call, on
        the cores that the next engine needs."""
        if self.engine.threads == 1:
            return
        deadline = time.monotonic() + MAX_QUIET_WAIT_SECONDS
        while time.monotonic() < deadline:
            before = time.process_time()
            time.sleep(QUIET_SECONDS)
            if time.process_time() - before < QUIET_SECONDS / 10:
                return

    def release(self):
        self.program, self.arrays = None, ()
        gc.collect()
        return {}


def answer(handle, arguments):
    try:
        return handle(**arguments)
    except Exception as exception:  # any failure of a library is a result
        message = " ".join(str(exception).split()) or type(exception).__name__
        return {"failure": message}


def main():
    # Libraries print to standard output; answers have a file of their own.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    gc.disable()  # release() collects what a case leaves
    try:
        while_timed = real_time if "real-time" in sys.argv else contextlib.nullcontext
        worker = Worker(engines.create(sys.argv[1], int(sys.argv[2])), while_timed)
        requests = {name: getattr(worker, name)
                    for name in (
                        "describe", "prepare", "estimate", "measure", "release")}
    except Exception as exception:
        message = " ".join(f"{type(exception).__name__}: {exception}".split())
        requests = {"describe": lambda: {"failure": message}}
    gc.freeze()
    for line in sys.stdin:
        request, arguments = json.loads(line)
        print(json.dumps(answer(requests[request], arguments)), file=answers, flush=True)


if __name__ == "__main__":
    main()
