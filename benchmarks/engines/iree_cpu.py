"""IREE's llvm-cpu backend for the features of this host, called without the
conversions of its Python interface. Results are written to a buffer of the caller."""

import hashlib
import importlib.metadata
import os
import pathlib

import iree.compiler
import iree.runtime

from engines import linalg
from engines.engine import Engine, Program

CACHE = pathlib.Path(__file__).parents[2] / "build/benchmarks/iree"
FLAGS = [
    "--iree-hal-target-device=local",
    "--iree-hal-local-target-device-backends=llvm-cpu",
    "--iree-llvmcpu-target-cpu=host",
    "--iree-opt-level=O3",
    "--iree-input-demote-f64-to-f32=false",
]
OUTPUT = "{iree.abi.output = 0 : index}"


def compile_module(text):
    """Compiles, or finds the result of an earlier run."""
    key = "\n".join([iree.compiler.__file__, version(), *FLAGS, text])
    path = CACHE / hashlib.sha256(key.encode()).hexdigest()
    if not path.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        cores = os.sched_getaffinity(0)
        os.sched_setaffinity(0, range(os.cpu_count()))  # for the compiler only
        try:
            module = iree.compiler.compile_str(text, extra_args=FLAGS)
        finally:
            os.sched_setaffinity(0, cores)
        path.with_suffix(f".{os.getpid()}").write_bytes(module)
        path.with_suffix(f".{os.getpid()}").rename(path)
    return path.read_bytes()


def version():
    return importlib.metadata.version("iree-base-compiler")


class IreeProgram(Program):
    def __init__(self, config, module, arrays, output):
        self.context = iree.runtime.VmContext(
            config.vm_instance, modules=[*config.default_vm_modules, module])
        self.function = module.lookup_function("main")
        self.arrays = [
            iree.runtime.asdevicearray(config.device, array)
            for array in (*arrays, output)]
        self.arguments = iree.runtime.VmVariantList(len(self.arrays))
        for array in self.arrays:
            self.arguments.push_ref(array._buffer_view)

    def run(self):
        results = iree.runtime.VmVariantList(1)
        self.context.invoke(self.function, self.arguments, results)

    def result(self):
        return self.arrays[-1].to_host()


class Iree(Engine):
    def __init__(self, threads):
        super().__init__(threads)
        if threads == 1:
            self.config = iree.runtime.Config("local-sync")
        else:
            iree.runtime.flags.parse_flags(f"--task_topology_group_count={threads}")
            self.config = iree.runtime.Config("local-task")

    def version(self):
        return version()

    def prepare(self, case, inputs, output):
        binary = compile_module(linalg.module_text(case, OUTPUT))
        module = iree.runtime.VmModule.copy_buffer(self.config.vm_instance, binary)
        return IreeProgram(self.config, module, inputs, output)
