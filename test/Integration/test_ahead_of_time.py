"""Modules compiled by meanvar-compile, called by C programs: for the CPUs of x86-64, and
for AArch64 under qemu. Every case of cases.json gives its known answer; what is refused
at run time says so through the message function."""

import os
import pathlib
import platform
import shutil
import subprocess

import numpy as np
import pytest

import harness
from test_cases import CASES, check, contents, every_dimension_dynamic, program_text

COMPILE = os.path.abspath(os.environ.get("MEANVAR_COMPILE", "meanvar-compile"))
C_TYPES = {"f16": "uint16_t", "bf16": "uint16_t", "f32": "float", "f64": "double"}
ANSWERED = [case for case in CASES if "error" not in case]
REFUSED = [case for case in CASES if "error" in case]

TARGETS = {
    "x86-64": ["--target-triple=x86_64-linux-gnu"],
    "x86-64-v2": ["--target-triple=x86_64-linux-gnu", "--target-cpu=x86-64-v2"],
    "x86-64-v3": ["--target-triple=x86_64-linux-gnu", "--target-cpu=x86-64-v3"],
    "x86-64-v4": ["--target-triple=x86_64-linux-gnu", "--target-cpu=x86-64-v4"],
    "aarch64": ["--target-triple=aarch64-linux-gnu"],
}

SUPPORT = r"""
#include <stdio.h>
#include <stdlib.h>

static void *load(const char *path, size_t bytes) {
  void *data = malloc(bytes + 1);
  FILE *file = fopen(path, "rb");
  if (!file || fread(data, 1, bytes, file) != bytes) {
    printf("cannot read %s\n", path);
    exit(2);
  }
  fclose(file);
  return data;
}

static void save(const char *path, const void *data, size_t bytes) {
  FILE *file = fopen(path, "wb");
  if (!file || fwrite(data, 1, bytes, file) != bytes || fclose(file)) {
    printf("cannot write %s\n", path);
    exit(2);
  }
}

#define CHECK(function, call)                                                  \
  do {                                                                         \
    int32_t status = call;                                                     \
    if (status) {                                                              \
      char text[256];                                                          \
      function##_message(status, &error, text, sizeof text);                   \
      printf("error: %s\n", text);                                             \
      return 1;                                                                \
    }                                                                          \
  } while (0)
"""


def run_tool(arguments, directory):
    process = subprocess.run(arguments, cwd=directory, capture_output=True, text=True,
                             timeout=harness.TIMEOUT_SECONDS, stdin=subprocess.DEVNULL)
    assert process.returncode in (0, 1) and "crashed" not in process.stderr, process.stderr
    return process


def compile_module(directory, name, programs, options):
    """Writes NAME.o and NAME.h with the functions NAME_c0, NAME_c1, ..."""
    text = "".join(program.replace("@main", f"@c{index}")
                   for index, program in enumerate(programs))
    (directory / f"{name}.mlir").write_text(text)
    return run_tool([COMPILE, f"{name}.mlir", "-o", f"{name}.o", f"--header={name}.h",
                     *options], directory)


def is_dynamic(description):
    return bool(description.get("dynamic"))


def call_text(name, index, case):
    """A block of C that runs one case on files and checks the sizes that it is given."""
    function = f"{name}_c{index}"
    lines, sizes, values = ["{", "meanvar_error error;"], [], []
    for number, description in enumerate(case["inputs"]):
        c_type = C_TYPES[description["dtype"]]
        count = int(np.prod(description["shape"]))
        lines.append(f'{c_type} *x{number} = load("{index}_{number}.in", '
                     f"{count} * sizeof({c_type}));")
        values.append(f"x{number}")
        if is_dynamic(description):
            shape = ", ".join(map(str, description["shape"]))
            lines.append(f"int64_t s{number}[] = {{{shape}}};")
            sizes.append(f"s{number}")
            values.append(f"s{number}")
    want = case["output"]
    c_type, count = C_TYPES[want["dtype"]], int(np.prod(want["shape"]))
    lines.append(f"{c_type} *y = malloc({max(count, 1)} * sizeof({c_type}));")
    values.append("y")
    if "?" in program_text(case).split("->")[1].split("{")[0]:
        rank = len(want["shape"])
        lines.append(f"int64_t s[{rank}];")
        lines.append(f"CHECK({function}, {function}_shape("
                     f"{', '.join(sizes + ['s', '&error'])}));")
        for dim, size in enumerate(want["shape"]):
            lines.append(f"if (s[{dim}] != {size}) return 3;")
        values.append("s")
    else:
        lines.append(f"CHECK({function}, {function}_shape({', '.join(sizes + ['&error'])}));")
    lines.append(f"CHECK({function}, {function}({', '.join(values + ['&error'])}));")
    lines.append(f'save("{name}_{index}.out", y, {count} * sizeof({c_type}));')
    return "\n  ".join(lines) + "\n}\n"


def write_inputs(directory, index, case):
    for number, description in enumerate(case["inputs"]):
        path = directory / f"{index}_{number}.npy"
        harness.save(path, description["dtype"], contents(description))
        (directory / f"{index}_{number}.in").write_bytes(np.load(path).tobytes())


def read_output(directory, name, index, case):
    dtype, shape = case["output"]["dtype"], case["output"]["shape"]
    kind = harness.NUMPY_TYPES.get(dtype, "<u2")
    path = directory / "out.npy"
    np.save(path, np.fromfile(directory / f"{name}_{index}.out", kind).reshape(shape))
    return harness.load(path, dtype)


def build_and_run(directory, target, source, objects):
    """Compiles and links a C program and runs it."""
    (directory / "main.c").write_text(source)
    if target == "aarch64":
        build = ["clang-22", "--target=aarch64-linux-gnu", "-fuse-ld=lld", "-static"]
        command = ["qemu-aarch64", "./main"]
    else:
        build, command = ["gcc"], ["./main"]
    process = run_tool([*build, "-std=c99", "-Wall", "-Werror", "main.c", *objects, "-lm",
                        "-o", "main"], directory)
    assert process.returncode == 0, process.stderr
    return run_tool(command, directory)


def need(target):
    """Skips a target that this machine has no way to run code of."""
    tools = ["clang-22", "qemu-aarch64"] if target == "aarch64" else ["gcc"]
    for tool in tools:
        if not shutil.which(tool):
            pytest.skip(f"{tool} is not installed")
    if target == "aarch64":
        return
    if platform.machine() != "x86_64":
        pytest.skip("this machine is none of x86-64")
    flags = open("/proc/cpuinfo", encoding="ascii").read()
    for cpu, feature in (("x86-64-v3", " avx2"), ("x86-64-v4", " avx512vl")):
        if target == cpu and feature not in flags:
            pytest.skip(f"this machine has no{feature}")


@pytest.mark.parametrize("target", TARGETS)
def test_known_answers_from_c(target, tmp_path):
    """All cases in two modules, of static and of run-time sizes, in one program."""
    need(target)
    forms = {"fixed": ANSWERED, "open": [every_dimension_dynamic(c) for c in ANSWERED]}
    source = SUPPORT
    for name, cases in forms.items():
        process = compile_module(tmp_path, name, map(program_text, cases), TARGETS[target])
        assert process.returncode == 0, process.stderr
        source = f'#include "{name}.h"\n' + source
    source += "int main(void) {\n"
    for name, cases in forms.items():
        source += "".join(call_text(name, index, case) for index, case in enumerate(cases))
    for index, case in enumerate(ANSWERED):
        write_inputs(tmp_path, index, case)
    process = build_and_run(tmp_path, target, source + "return 0;\n}\n",
                            [f"{name}.o" for name in forms])
    assert process.returncode == 0, process.stdout
    for name in forms:
        for index, case in enumerate(ANSWERED):
            check(case, read_output(tmp_path, name, index, case))


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case["id"])
def test_refusals_from_c(case, tmp_path):
    """By the compiler, or by the shape function with a message."""
    need("x86-64")
    process = compile_module(tmp_path, "refused", [program_text(case)], [])
    message = process.stderr
    if process.returncode == 0:
        case = dict(case, output={"dtype": case["inputs"][0]["dtype"], "shape": []})
        write_inputs(tmp_path, 0, case)
        source = ('#include "refused.h"\n' + SUPPORT + "int main(void) {\n"
                  + call_text("refused", 0, case).replace("int64_t s[0]", "int64_t s[8]")
                  + "return 0;\n}\n")
        process = build_and_run(tmp_path, "x86-64", source, ["refused.o"])
        message = process.stdout
    assert process.returncode == 1 and message.startswith("error: ") or ": error: " in message
    assert all(word in message for word in case["error"]), message


def test_object_needs_libc_and_libm_only(tmp_path):
    need("x86-64")
    case = ANSWERED[0]
    assert compile_module(tmp_path, "alone", [program_text(case)], []).returncode == 0
    write_inputs(tmp_path, 0, case)
    build_and_run(tmp_path, "x86-64", '#include "alone.h"\n' + SUPPORT + "int main(void) {\n"
                  + call_text("alone", 0, case) + "return 0;\n}\n", ["alone.o"])
    process = run_tool(["ldd", "main"], tmp_path)
    libraries = {line.split()[0].split("/")[-1].split(".")[0]
                 for line in process.stdout.splitlines()}
    assert libraries <= {"libc", "libm", "linux-vdso", "ld-linux-x86-64"}, process.stdout


# Temporaries between operations, and some in a loop.
TEMPORARIES = """
func.func @all(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %rows = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
  %columns = meanvar.mvn %rows axes = [0] : tensor<?x?xf32>
  %lower = arith.constant 0 : index
  %upper = arith.constant 3 : index
  %step = arith.constant 1 : index
  %loop = scf.for %i = %lower to %upper step %step iter_args(%y = %columns)
      -> (tensor<?x?xf32>) {
    %all = meanvar.mvn %y axes = [0, 1] : tensor<?x?xf32>
    %again = meanvar.mvn %all axes = [1] : tensor<?x?xf32>
    scf.yield %again : tensor<?x?xf32>
  }
  %mean = meanvar.mean %loop, %rows : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %mean : tensor<?x?xf32>
}
func.func @none(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
"""

# The linker gives the object these for malloc and free.
SHORT_OF_MEMORY = r"""
#include "model.h"
#include <string.h>

static int num_calls, num_live, failing = -1;

void *__real_malloc(size_t size);
void __real_free(void *memory);

void *__wrap_malloc(size_t size) {
  if (num_calls++ == failing)
    return NULL;
  ++num_live;
  return __real_malloc(size);
}

void __wrap_free(void *memory) {
  num_live -= memory != NULL;
  __real_free(memory);
}

enum { ROWS = 50, COLUMNS = 700 };
static float x[ROWS * COLUMNS], y[ROWS * COLUMNS], want[ROWS * COLUMNS];
static const int64_t shape[] = {ROWS, COLUMNS};

int main(void) {
  char text[256];
  for (int i = 0; i < ROWS * COLUMNS; ++i)
    x[i] = (float)(i * 7919 % 1000);
  if (model_all(x, shape, want, shape, NULL) || num_live || num_calls < 4)
    return 2;
  int num_needed = num_calls;
  for (failing = 0; failing < num_needed; ++failing) {
    meanvar_error error;
    num_calls = 0;
    int32_t status = model_all(x, shape, y, shape, &error);
    model_all_message(status, &error, text, sizeof text);
    if (strstr(text, "not enough memory for a temporary of ") != text ||
        error.values[0] < 0 || num_live ||
        num_calls != failing + 1) {
      printf("call %d: %s, %d blocks left\n", failing, text, num_live);
      return 1;
    }
  }
  failing = -1;
  if (model_all(x, shape, y, shape, NULL) || memcmp(y, want, sizeof y))
    return 3;
  num_calls = 0;
  if (model_none(x, shape, y, shape, NULL) || num_calls)
    return 4;
  puts(text);
  return 0;
}
"""


@pytest.mark.parametrize("options", [[], ["--opt-level=0"], ["--threads=2"]], ids=str)
def test_memory_that_is_short(options, tmp_path):
    """Whichever temporary cannot be had, the function returns and keeps none."""
    need("x86-64")
    assert compile_module(tmp_path, "model", [TEMPORARIES], options).returncode == 0
    (tmp_path / "main.c").write_text(SUPPORT + SHORT_OF_MEMORY)
    libraries = ["-l:libomp.so.5"] if options == ["--threads=2"] else []
    process = run_tool(["gcc", "-Wall", "-Wno-unused-function", "main.c", "model.o",
                        "-Wl,--wrap=malloc,--wrap=free", "-lm", *libraries, "-o", "main"],
                       tmp_path)
    assert process.returncode == 0, process.stderr
    process = run_tool(["./main"], tmp_path)
    assert process.returncode == 0, process.stdout
    assert process.stdout.startswith("not enough memory for a temporary of ")
    # Only what can happen has a message.
    assert (tmp_path / "model.h").read_text().count("not enough memory") == 1


def test_header_is_cpp(tmp_path):
    need("x86-64")
    if not shutil.which("clang++-22"):
        pytest.skip("clang++-22 is not installed")
    programs = [program_text(every_dimension_dynamic(case)) for case in ANSWERED[:3]]
    assert compile_module(tmp_path, "model", programs, []).returncode == 0
    (tmp_path / "main.cpp").write_text('#include "model.h"\n#include "model.h"\n')
    process = run_tool(["clang++-22", "-std=c++17", "-Wall", "-Werror", "-fsyntax-only",
                        "main.cpp"], tmp_path)
    assert process.returncode == 0, process.stderr


def test_same_input_gives_same_bytes(tmp_path):
    programs = [program_text(case) for case in ANSWERED[:5]]
    files = []
    for _ in range(2):
        assert compile_module(tmp_path, "same", programs, []).returncode == 0
        files.append([(tmp_path / f"same.{end}").read_bytes() for end in ("o", "h")])
    assert files[0] == files[1]


def test_example(tmp_path):
    """examples/c, as the README shows it."""
    need("x86-64")
    root = pathlib.Path(__file__).resolve().parents[2]
    environment = dict(os.environ, PATH=os.path.dirname(COMPILE) + os.pathsep
                       + os.environ["PATH"])
    process = subprocess.run([root / "examples/c/build.sh", tmp_path], text=True,
                             env=environment, capture_output=True, check=False,
                             timeout=harness.TIMEOUT_SECONDS)
    assert process.returncode == 0, process.stderr
    assert "300x12: input 0 has size 12 in dimension 1 (allowed: 13)" in process.stdout
