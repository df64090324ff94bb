"""Writes ONNX models: just enough of protobuf's wire format and of onnx.proto.

Field numbers are those of onnx.proto, so that a test can also write what no
well-behaved exporter would.
"""

import struct

import numpy as np

ELEMENT_TYPES = {"f32": 1, "i32": 6, "i64": 7, "f16": 10, "f64": 11, "bf16": 16}


def varint(value):
    value &= (1 << 64) - 1
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def field(number, value):
    """One field: an int, a float (32 bits), a str, or bytes (a message)."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, str):
        value = value.encode()
    return varint(number << 3 | 2) + varint(len(value)) + value


def fields(number, values):
    return b"".join(field(number, value) for value in values)


def attribute(name, value):
    """AttributeProto of an int, a float, a str, or a list of ints."""
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    if isinstance(value, float):
        return field(1, name) + field(2, value) + field(20, 1)
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, 3)
    return field(1, name) + fields(8, value) + field(20, 7)


def node(op_type, inputs, outputs, attributes=None, name="", domain=""):
    """NodeProto."""
    encoded = fields(1, inputs) + fields(2, outputs) + field(3, name)
    encoded += field(4, op_type)
    encoded += fields(5, [attribute(*item) for item in (attributes or {}).items()])
    return encoded + (field(7, domain) if domain else b"")


def value(name, dtype, shape):
    """ValueInfoProto; a size that is a string is a symbol."""
    dims = [field(1, s) if isinstance(s, int) else field(2, s) for s in shape]
    tensor = field(1, ELEMENT_TYPES[dtype]) + field(2, fields(1, dims))
    return field(1, name) + field(2, field(1, tensor))


def initializer(name, dtype, array):
    """TensorProto with raw data, of f32, f64 or f16."""
    array = np.asarray(array, dtype={"f16": "<f2", "f32": "<f4", "f64": "<f8"}[dtype])
    return (fields(1, [int(size) for size in array.shape])
            + field(2, ELEMENT_TYPES[dtype]) + field(8, name)
            + field(9, array.tobytes()))


def model(opset, nodes, inputs, outputs, initializers=(), ir_version=8):
    """ModelProto of one graph."""
    graph = fields(1, nodes) + field(2, "graph") + fields(5, initializers)
    graph += fields(11, inputs) + fields(12, outputs)
    return (field(1, ir_version) + field(2, "meanvar tests") + field(7, graph)
            + field(8, field(1, "") + field(2, opset)))
