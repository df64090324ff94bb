"""Builds programs, runs them with meanvar-runner and reads back the results.

Programs run on guarded memory (see meanvar-runner --help), so that an access outside
of a tensor fails the test.

Arrays are float64 throughout and hold values of the element type named beside them.
"""

import os
import shutil
import subprocess
import zlib

import numpy as np

# Absolute, because programs run in directories of their own.
RUNNER = shutil.which(os.environ.get("MEANVAR_RUNNER", "meanvar-runner")) or "meanvar-runner"
RUNNER = os.path.abspath(RUNNER)
NUMPY_TYPES = {"f16": "<f2", "f32": "<f4", "f64": "<f8", "i1": "|b1", "i8": "|i1",
               "ui8": "|u1", "i32": "<i4", "i64": "<i8"}
TIMEOUT_SECONDS = 300


def type_text(dtype, shape, dynamic=()):
    """tensor<?x4xf32>: `dynamic` lists the dimensions to declare as `?`."""
    sizes = ["?" if dim in dynamic else str(size) for dim, size in enumerate(shape)]
    return "tensor<" + "x".join(sizes + [dtype]) + ">"


def mvn_text(result, operand, operand_type, axes=None, epsilon=None,
             inside_sqrt=False, center_only=False, statistics=False):
    """One meanvar.mvn; `result` is a name, or three with `statistics`."""
    clauses = ""
    if axes is not None:
        clauses += f" axes = [{', '.join(map(str, axes))}]"
    if epsilon is not None:
        clauses += f" epsilon = {epsilon:.17e}"
    for name, given in (("inside_sqrt", inside_sqrt), ("center_only", center_only),
                        ("statistics", statistics)):
        if given:
            clauses += " " + name
    return f"{result} = meanvar.mvn {operand}{clauses} : {operand_type}"


def mean_text(result, operands, operand_types, result_type):
    """One meanvar.mean."""
    return (f"{result} = meanvar.mean {', '.join(operands)} : "
            f"({', '.join(operand_types)}) -> {result_type}")


def function_text(input_types, body, results, result_types):
    """A public function @main of inputs %x0, %x1, ..."""
    arguments = ", ".join(f"%x{i}: {t}" for i, t in enumerate(input_types))
    lines = [f"func.func @main({arguments}) -> ({', '.join(result_types)}) {{"]
    lines += ["  " + line for line in body]
    lines += [f"  return {', '.join(results)} : {', '.join(result_types)}", "}", ""]
    return "\n".join(lines)


def save(path, dtype, values):
    """Writes a .npy file; bf16 as the <u2 words of its bits."""
    if dtype == "bf16":
        bits = np.ravel(values).astype("<f4").view("<u4") >> 16
        np.save(path, bits.astype("<u2").reshape(np.shape(values)))
    else:
        with np.errstate(over="ignore"):
            np.save(path, np.asarray(values).astype(NUMPY_TYPES[dtype]))


def load(path, dtype):
    """Reads a .npy file of `dtype` as float64."""
    array = np.load(path, allow_pickle=False)
    if dtype == "bf16":
        assert array.dtype == np.dtype("<u2"), f"bf16 was written as {array.dtype}"
        bits = np.ravel(array).astype("<u4") << 16
        return bits.view("<f4").astype(np.float64).reshape(array.shape)
    assert array.dtype == np.dtype(NUMPY_TYPES[dtype]), array.dtype
    return array.astype(np.float64)


def invoke(arguments, cwd):
    """Runs meanvar-runner; fails the test if it crashes or hangs."""
    process = subprocess.run([RUNNER, *arguments], cwd=cwd, capture_output=True,
                             text=True, timeout=TIMEOUT_SECONDS,
                             stdin=subprocess.DEVNULL)
    assert process.returncode in (0, 1) and "crashed" not in process.stderr, (
        f"exit status {process.returncode}\n{process.stderr[-4000:]}")
    return process


def run(directory, program, inputs, output_types, options=(), name="program.mlir"):
    """Runs `program` (text, or the bytes of a model) on (dtype, array) inputs.

    Returns one float64 array for each element type of `output_types`.
    """
    arguments = [_write(directory, name, program), guard_option(program, inputs), *options]
    arguments += write_inputs(directory, inputs)
    outputs = [directory / f"out{i}.npy" for i in range(len(output_types))]
    for path in outputs:
        path.unlink(missing_ok=True)
    process = invoke(arguments + [f"--output=@{path}" for path in outputs], directory)
    assert process.returncode == 0, process.stderr[-4000:]
    return [load(path, dtype) for path, dtype in zip(outputs, output_types)]


def refuse(directory, program, inputs, words, options=(), name="program.mlir"):
    """Expects an `error:` line that holds every one of `words`, and no output."""
    output = directory / "refused.npy"
    arguments = [_write(directory, name, program), guard_option(program, inputs), *options]
    arguments += write_inputs(directory, inputs) + [f"--output=@{output}"]
    process = invoke(arguments, directory)
    assert process.returncode == 1, "was not refused\n" + process.stderr[-4000:]
    errors = [line for line in process.stderr.splitlines() if "error:" in line]
    assert any(all(word in line for word in words) for line in errors), (
        f"no error line with {words}:\n{process.stderr[-4000:]}")
    assert not output.exists(), "a refused program wrote an output file"
    return process


def guard_option(program, inputs):
    """Memory that begins or ends at a guard: by chance, but always the same one."""
    text = program if isinstance(program, bytes) else program.encode()
    shapes = repr([(dtype, np.shape(values)) for dtype, values in inputs]).encode()
    return f"--guard-buffers={('begin', 'end')[zlib.crc32(text + shapes) % 2]}"


def write_inputs(directory, inputs):
    """Writes the inputs of a program and returns the --input options."""
    options = []
    for index, (dtype, values) in enumerate(inputs):
        path = directory / f"in{index}.npy"
        save(path, dtype, values)
        # The file of a bf16 tensor holds bits, so its type is given.
        sizes = "".join(f"{size}x" for size in np.shape(values))
        prefix = f"{sizes}bf16=" if dtype == "bf16" else ""
        options.append(f"--input={prefix}@{path}")
    return options


def _write(directory, name, program):
    path = directory / name
    if isinstance(program, bytes):
        path.write_bytes(program)
    else:
        path.write_text(program)
    return str(path)
