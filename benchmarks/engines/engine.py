"""What every engine implements."""

import time


class Unsupported(Exception):
    """The engine cannot run the case; the message says why."""


class Program:
    """A case, compiled, and bound to its inputs and its output."""

    def run(self):
        """Computes the output once, and returns when it is there."""
        raise NotImplementedError

    def result(self):
        """The output of the last run as a NumPy array; None: nothing to check."""
        raise NotImplementedError

    def measure(self, samples, repetitions):
        """Returns the seconds of one run, averaged over `repetitions`, `samples`
        times."""
        run, clock = self.run, time.perf_counter
        seconds = []
        for _ in range(samples):
            start = clock()
            for _ in range(repetitions):
                run()
            seconds.append((clock() - start) / repetitions)
        return seconds


class FunctionProgram(Program):
    """Runs a function that writes its result into `output`."""

    def __init__(self, function, output):
        self.run = function
        self.output = output

    def result(self):
        return self.output


class Engine:
    """A library, set up for a number of threads in this process."""

    remark = None  # what a reader of the results has to know

    def __init__(self, threads):
        self.threads = threads

    def version(self):
        raise NotImplementedError

    def prepare(self, case, inputs, output):
        """Compiles `case` for `inputs`, which live as long as the program. It writes
        to `output`, or where it must to an array of its own. May raise Unsupported."""
        raise NotImplementedError
