"""Spells ONNX models as text and encodes them with test/Target/ONNX/make_model.py."""

import pathlib
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Target" / "ONNX"))
from make_model import MESSAGES, Encoder, encode_bytes  # noqa: E402

ELEMENT_TYPES = {"f16": "FLOAT16", "bf16": "BFLOAT16", "f32": "FLOAT", "f64": "DOUBLE",
                 "i32": "INT32", "i64": "INT64",
                 "i1": "BOOL", "i8": "INT8", "ui8": "UINT8"}


def strings(names):
    return "[" + ", ".join(f'"{name}"' for name in names) + "]"


def attribute(name, value):
    """AttributeProto of an int, a float or a list of ints."""
    if isinstance(value, int):
        field, kind = f"i: {value}", "INT"
    elif isinstance(value, float):
        field, kind = f"f: {value!r}", "FLOAT"
    else:
        field, kind = f"ints: {value}", "INTS"
    return f'attribute {{ name: "{name}" {field} type: {kind} }}'


def node(op_type, inputs, outputs, attributes=None, name=""):
    """NodeProto."""
    spelled = " ".join(attribute(*item) for item in (attributes or {}).items())
    return (f'node {{ op_type: "{op_type}" name: "{name}" input: {strings(inputs)} '
            f"output: {strings(outputs)} {spelled} }}")


def value(name, dtype, shape):
    """ValueInfoProto; a size that is a string is a symbol."""
    return f'{name}: {ELEMENT_TYPES[dtype]}[{",".join(map(str, shape))}]'


def initializer(name, array):
    """TensorProto of f32 elements."""
    array = np.asarray(array)
    return (f'initializer {{ name: "{name}" data_type: FLOAT dims: {list(array.shape)} '
            f"float_data: {array.ravel().tolist()} }}")


def integers(name, values):
    """TensorProto of a list of int64."""
    return (f'initializer {{ name: "{name}" data_type: INT64 dims: {len(values)} '
            f"int64_data: {list(values)} }}")


def with_initializer(model_bytes, tensor_bytes):
    """A model with one more initializer, a serialized TensorProto.

    Messages that follow each other are merged: this one adds to the graph.
    """
    graph = encode_bytes(MESSAGES["GraphProto"]["initializer"][0], tensor_bytes)
    return model_bytes + encode_bytes(MESSAGES["ModelProto"]["graph"][0], graph)


def model(opset, nodes, inputs, outputs, initializers=()):
    """The bytes of a ModelProto of one graph."""
    graph = " ".join([*nodes, *initializers])
    return Encoder(
        f"ir_version: 8 opset_import {{ version: {opset} }} graph {{ name: \"graph\" "
        f"{graph} input: {strings(inputs)} output: {strings(outputs)} }}"
    ).message("ModelProto", "")
