"""Processes of engines, seen from the one that measures."""

import json
import pathlib
import select
import subprocess
import sys

WORKER = pathlib.Path(__file__).with_name("worker.py")

# For one request. Only programs that are hopelessly slow take so long.
MAX_ANSWER_SECONDS = 30


class Failure(Exception):
    """What the engine could not do, in its words."""


class WorkerProcess:
    """One engine for one number of threads. Requests are sent and received apart,
    so that several workers can prepare at the same time."""

    def __init__(self, engine, threads, cores, real_time, log):
        self.engine = engine
        self.command = [sys.executable, str(WORKER), engine, str(threads),
                        ",".join(map(str, cores)), *["real-time"] * real_time]
        self.log = log
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=self.log, text=True, cwd=WORKER.parent)

    def send(self, request, **arguments):
        try:
            self.process.stdin.write(json.dumps([request, arguments]) + "\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass  # receive() finds out

    def receive(self):
        """The answer to the last request. A process that gives none is replaced."""
        stdout = self.process.stdout
        if not select.select([stdout], [], [], MAX_ANSWER_SECONDS)[0]:
            self.process.kill()
            self.process.wait()
            self.start()
            raise Failure(f"takes more than {MAX_ANSWER_SECONDS} s")
        line = stdout.readline()
        if not line:
            status = self.process.wait()
            self.start()
            raise Failure(f"the process ended with status {status}")
        answer = json.loads(line)
        if "failure" in answer:
            raise Failure(answer["failure"])
        return answer

    def request(self, request, **arguments):
        self.send(request, **arguments)
        return self.receive()

    def close(self):
        self.process.stdin.close()
        self.process.wait()
