#!/usr/bin/env python3
"""Writes the inputs that the fuzzers start from.

usage: make_seeds.py

Each model of the lit tests of the ONNX importer becomes a file of
fuzz-import-onnx/; fuzz-tensor-input/ gets tensors of each form and type, and
fuzz-compile/ random decisions. Files of other names are left as they are: inputs
that once found an error.
"""

import io
import pathlib
import random
import re
import sys

import numpy as np

FUZZ = pathlib.Path(__file__).resolve().parent
ONNX_TESTS = FUZZ.parent / "Target" / "ONNX"
sys.path.insert(0, str(ONNX_TESTS))
from make_model import Encoder  # noqa: E402

# Tests with models that are imported, and one with paths of external data.
MODEL_TESTS = ("constants", "dimensions", "elementwise", "functions", "initializers",
               "names", "normalizations", "reductions", "shapes", "sizes",
               "versions", "invalid-initializers")

# Ways to the file that fuzz-import-onnx must not read, and to one that it may.
EXTERNAL_PATHS = {"inside": "data.bin", "link": "link", "parent": "../secret.bin"}
EXTERNAL_MODEL = """
ir_version: 8 opset_import { version: 13 }
graph {
  name: "g" output: "w: FLOAT[4]"
  initializer {
    name: "w" data_type: FLOAT dims: 4 data_location: EXTERNAL
    external_data { key: "location" value: "PATH" }
  }
}
"""

# In the order of ElementKind, and what the readers take for the type.
KINDS = "f16 bf16 f32 f64 i1 i8 i16 i32 i64 index ui8".split()
NUMPY_TYPES = "<f2 <u2 <f4 <f8 |b1 |i1 <i2 <i4 <i8 <i8 |u1".split()
ANY_KIND = len(KINDS)
NPY, PROTO, SPEC = range(3)

PROTOS = {
    "float": 'name: "t" dims: [2, 1] data_type: FLOAT float_data: [1, -2.5]',
    "double": "dims: 1 data_type: DOUBLE double_data: 0.1",
    "float16": "dims: 2 data_type: FLOAT16 int32_data: [0x3c00, 0x7e01]",
    "bfloat16": r'dims: [0, 3] data_type: BFLOAT16 raw_data: ""',
    "bool": r'dims: 2 data_type: BOOL raw_data: "\x00\x01"',
    "int64": "dims: 2 data_type: INT64 int64_data: [-1, 7]",
    "int8": "data_type: INT8 int32_data: -128",
    "uint8": "data_type: UINT8 int32_data: 255",
    "external": 'data_type: FLOAT data_location: EXTERNAL '
                'external_data { key: "location" value: "data.bin" }',
}
SPECS = {
    "list": "2x2xf32=[[1,-2.5e-3],[nan,inf]]",
    "splat": "3xf16=0x1.8p-3",
    "scalar": "i64=-9223372036854775808",
    "empty": "2x0xbf16=[]",
    "random": "2x3xf64=random(7)",
    "boolean": "2xi1=[true, 0]",
    "large": "1099511627777xi8=0",
}


def models():
    for test in MODEL_TESTS:
        text = (ONNX_TESTS / f"{test}.test").read_text()
        sections = re.split(r"^#--- (\S+)\n", text, flags=re.MULTILINE)
        for name, model in zip(sections[1::2], sections[2::2]):
            if not name.endswith(".pb"):
                yield f"{test}-{name}", Encoder(model).message("ModelProto", "")
    text = (ONNX_TESTS / "text.test").read_text()
    sections = re.split(r"^//--- (\S+)\n", text, flags=re.MULTILINE)
    for name, model in zip(sections[1::2], sections[2::2]):
        lines = [line for line in model.splitlines() if not line.startswith("# ")]
        yield f"text-{name.removesuffix('.onnxtxt')}", "\n".join(lines).strip().encode()
    for name, path in EXTERNAL_PATHS.items():
        model = EXTERNAL_MODEL.replace("PATH", path)
        yield f"external-{name}", Encoder(model).message("ModelProto", "")


def tensors():
    for kind, (name, numpy_type) in enumerate(zip(KINDS, NUMPY_TYPES)):
        file = io.BytesIO()
        array = np.arange(6).reshape(2, 3).astype(numpy_type)
        np.save(file, np.asfortranarray(array) if kind % 2 else array)
        yield f"npy-{name}", bytes([NPY, kind]) + file.getvalue()
    for name, text in PROTOS.items():
        message = Encoder(text).message("TensorProto", "")
        yield f"proto-{name}", bytes([PROTO, ANY_KIND]) + message
    for name, spec in SPECS.items():
        yield f"spec-{name}", bytes([SPEC, ANY_KIND]) + spec.encode()


def decisions():
    for seed in range(16):
        # The first decision is the number of changes to the program.
        yield f"random-{seed:02}", bytes([seed % 4]) + random.Random(seed).randbytes(120)


def main():
    for fuzzer, seeds in (("fuzz-import-onnx", models()), ("fuzz-tensor-input", tensors()),
                          ("fuzz-compile", decisions())):
        directory = FUZZ / fuzzer
        directory.mkdir(exist_ok=True)
        for name, content in seeds:
            (directory / name).write_bytes(content)


if __name__ == "__main__":
    main()
