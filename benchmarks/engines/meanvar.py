"""meanvar, through the C interface of libMeanVarC.so (meanvar-c/Embedding.h)."""

import ctypes
import pathlib

from engines.engine import Engine, FunctionProgram, Program

LIBRARIES = pathlib.Path(__file__).parents[2] / "build/release/lib"
ELEMENT_TYPES = {"f16": 0, "bf16": 1, "f32": 2, "f64": 3}  # MeanVarElementType


class Tensor(ctypes.Structure):
    """MeanVarTensor."""

    _fields_ = [
        ("element_type", ctypes.c_int),
        ("rank", ctypes.c_size_t),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("data", ctypes.c_void_p),
    ]


def make_tensor(array, element_type):
    shape = (ctypes.c_int64 * array.ndim)(*array.shape)
    return Tensor(ELEMENT_TYPES[element_type], array.ndim, shape, array.ctypes.data)


def load_library():
    library = ctypes.CDLL(LIBRARIES / "libMeanVarC.so")
    for name in ("GetVersion", "GetErrorMessage"):
        getattr(library, f"meanvar{name}").restype = ctypes.c_char_p
    for name in ("CompileOptionsCreate", "ModuleLookup"):
        getattr(library, f"meanvar{name}").restype = ctypes.c_void_p
    library.meanvarModuleLookup.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    library.meanvarCompileOptionsSetThreads.argtypes = [ctypes.c_void_p, ctypes.c_uint]
    library.meanvarModuleCompile.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_void_p]
    library.meanvarCallCreate.argtypes = [
        ctypes.c_void_p, ctypes.POINTER(Tensor), ctypes.c_size_t,
        ctypes.POINTER(Tensor), ctypes.c_size_t, ctypes.c_void_p]
    for name in ("CallRun", "CallDestroy", "ModuleDestroy"):
        getattr(library, f"meanvar{name}").argtypes = [ctypes.c_void_p]
    return library


def tensor_type(shape, case):
    sizes = ["?" if case.dynamic else str(size) for size in shape]
    return f"tensor<{'x'.join([*sizes, case.element_type])}>"


def module_text(case):
    """The case as a module of the meanvar dialect."""
    types = [tensor_type(shape, case) for shape in case.shapes]
    result = tensor_type(case.output_shape, case)
    arguments = ", ".join(f"%x{i}: {type}" for i, type in enumerate(types))
    names = ", ".join(f"%x{i}" for i in range(len(types)))
    if case.operation == "mvn":
        operation = f"meanvar.mvn %x0 axes = {list(case.axes)} : {result}"
    else:
        operation = f"meanvar.mean {names} : ({', '.join(types)}) -> {result}"
    return f"""func.func @main({arguments}) -> {result} {{
  %0 = {operation}
  return %0 : {result}
}}
"""


class Call(FunctionProgram):
    """A MeanVarCall, with the module that it is of."""

    def __init__(self, engine, case, inputs, output):
        self.engine = engine
        self.module, self.call = ctypes.c_void_p(), ctypes.c_void_p()
        library, text = engine.library, module_text(case).encode()
        engine.check(library.meanvarModuleCompile(
            text, len(text), engine.options, ctypes.byref(self.module)))
        tensors = [make_tensor(array, case.element_type) for array in inputs]
        result = make_tensor(output, case.element_type)
        engine.check(library.meanvarCallCreate(
            library.meanvarModuleLookup(self.module, b"main"),
            (Tensor * len(tensors))(*tensors), len(tensors),
            ctypes.byref(result), 1, ctypes.byref(self.call)))
        run, call = library.meanvarCallRun, self.call
        super().__init__(lambda: run(call), output)

    def __del__(self):
        self.engine.library.meanvarCallDestroy(self.call)
        self.engine.library.meanvarModuleDestroy(self.module)


class CallFromC(Program):
    """A call that is repeated in C."""

    def __init__(self, call, loops):
        self.call, self.loops = call, loops
        self.run, self.result = call.run, call.result

    def measure(self, samples, repetitions):
        seconds = (ctypes.c_double * samples)()
        self.loops.measureCalls(
            self.call.engine.library.meanvarCallRun, self.call.call,
            samples, repetitions, seconds)
        return list(seconds)


class MeanVar(Engine):
    def __init__(self, threads):
        super().__init__(threads)
        self.library = load_library()
        self.options = self.library.meanvarCompileOptionsCreate()
        status = self.library.meanvarCompileOptionsSetThreads(self.options, threads)
        if status != 0:
            self.remark = f"runs on one thread ({self.message()})"

    def message(self):
        return self.library.meanvarGetErrorMessage().decode()

    def check(self, status):
        if status != 0:
            raise RuntimeError(self.message())

    def version(self):
        return self.library.meanvarGetVersion().decode()

    def prepare(self, case, inputs, output):
        return Call(self, case, inputs, output)


class MeanVarFromC(MeanVar):
    """Without the overhead of ctypes."""

    def __init__(self, threads):
        super().__init__(threads)
        self.loops = ctypes.CDLL(LIBRARIES / "libMeanVarBenchmarkLoops.so")
        self.loops.measureCalls.restype = None

    def prepare(self, case, inputs, output):
        return CallFromC(super().prepare(case, inputs, output), self.loops)
