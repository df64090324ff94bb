#!/usr/bin/env python3
# ===- make_model.py - ONNX files from readable text ------------------------===#
#
# Part of the meanvar project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# ===------------------------------------------------------------------------===#
"""Writes the binary ONNX models that a test describes as text.

usage: make_model.py FILE DIRECTORY

FILE holds sections that begin with a line `#--- NAME`. Each section is one
message in the text format of protocol buffers and becomes DIRECTORY/NAME. The
message is a TensorProto if NAME ends with `.pb`, otherwise a ModelProto.

Three things go beyond the text format: enumerators stand for their numbers in any
integer field; a string in place of a ValueInfoProto spells it as in
`"x: FLOAT[2,N,?]"`, where `N` is a named and `?` a missing dimension; a string in
place of any other message holds its bytes, so that they can be damaged.

Neither protoc nor a Python package of ONNX is needed, and the fields that file
formats after the packaged headers added are known as well.
"""

import pathlib
import re
import struct
import sys

# Message -> field -> (number, type). A type in capitals is a message.
MESSAGES = {
    "ModelProto": {
        "ir_version": (1, "int"),
        "opset_import": (8, "OperatorSetIdProto"),
        "producer_name": (2, "string"),
        "graph": (7, "GraphProto"),
        "functions": (25, "FunctionProto"),
    },
    "OperatorSetIdProto": {"domain": (1, "string"), "version": (2, "int")},
    "GraphProto": {
        "node": (1, "NodeProto"),
        "name": (2, "string"),
        "initializer": (5, "TensorProto"),
        "input": (11, "ValueInfoProto"),
        "output": (12, "ValueInfoProto"),
        "value_info": (13, "ValueInfoProto"),
        "sparse_initializer": (15, "SparseTensorProto"),
    },
    "NodeProto": {
        "input": (1, "string"),
        "output": (2, "string"),
        "name": (3, "string"),
        "op_type": (4, "string"),
        "attribute": (5, "AttributeProto"),
        "domain": (7, "string"),
        "overload": (8, "string"),
    },
    "AttributeProto": {
        "name": (1, "string"),
        "f": (2, "float"),
        "i": (3, "int"),
        "s": (4, "string"),
        "t": (5, "TensorProto"),
        "g": (6, "GraphProto"),
        "floats": (7, "float"),
        "ints": (8, "int"),
        "strings": (9, "string"),
        "sparse_tensor": (22, "SparseTensorProto"),
        "type": (20, "int"),
        "ref_attr_name": (21, "string"),
    },
    "FunctionProto": {
        "name": (1, "string"),
        "input": (4, "string"),
        "output": (5, "string"),
        "attribute": (6, "string"),
        "node": (7, "NodeProto"),
        "opset_import": (9, "OperatorSetIdProto"),
        "domain": (10, "string"),
        "attribute_proto": (11, "AttributeProto"),
        "overload": (13, "string"),
    },
    "ValueInfoProto": {"name": (1, "string"), "type": (2, "TypeProto")},
    "TypeProto": {
        "tensor_type": (1, "Tensor"),
        "sequence_type": (4, "Sequence"),
    },
    "Tensor": {"elem_type": (1, "int"), "shape": (2, "TensorShapeProto")},
    "Sequence": {"elem_type": (1, "TypeProto")},
    "TensorShapeProto": {"dim": (1, "Dimension")},
    "Dimension": {"dim_value": (1, "int"), "dim_param": (2, "string")},
    "TensorProto": {
        "dims": (1, "int"),
        "data_type": (2, "int"),
        "segment": (3, "Segment"),
        "float_data": (4, "float"),
        "int32_data": (5, "int"),
        "string_data": (6, "string"),
        "int64_data": (7, "int"),
        "name": (8, "string"),
        "raw_data": (9, "string"),
        "double_data": (10, "double"),
        "uint64_data": (11, "int"),
        "external_data": (13, "StringStringEntryProto"),
        "data_location": (14, "int"),
    },
    "Segment": {"begin": (1, "int"), "end": (2, "int")},
    "StringStringEntryProto": {"key": (1, "string"), "value": (2, "string")},
    "SparseTensorProto": {"values": (1, "TensorProto"), "dims": (3, "int")},
}

DATA_TYPES = (
    "UNDEFINED FLOAT UINT8 INT8 UINT16 INT16 INT32 INT64 STRING BOOL FLOAT16 "
    "DOUBLE UINT32 UINT64 COMPLEX64 COMPLEX128 BFLOAT16 FLOAT8E4M3FN"
).split()
ATTRIBUTE_TYPES = (
    "UNDEFINED FLOAT INT STRING TENSOR GRAPH FLOATS INTS STRINGS TENSORS GRAPHS "
    "SPARSE_TENSOR"
).split()

TOKEN = re.compile(
    r"""\s*(?:\#[^\n]*\s*)*("(?:[^"\\]|\\.)*"|[A-Za-z_]\w*|[-+.\w]+|[{}\[\]:,;]|$)"""
)


def encode_varint(value):
    value &= (1 << 64) - 1
    encoded = bytearray()
    while value >= 0x80:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    encoded.append(value)
    return bytes(encoded)


def encode_bytes(number, content):
    return encode_varint(number << 3 | 2) + encode_varint(len(content)) + content


class Encoder:
    """Parses one message and encodes it on the way."""

    def __init__(self, text):
        self.tokens = [match.group(1) for match in TOKEN.finditer(text)]
        self.position = 0

    def peek(self):
        return self.tokens[self.position]

    def take(self, expected=None):
        token = self.tokens[self.position]
        if expected is not None and token != expected:
            rest = " ".join(self.tokens[self.position : self.position + 5])
            sys.exit(f"make_model.py: expected {expected!r} before {rest!r}")
        self.position += 1
        return token

    def accept(self, token):
        if self.peek() != token:
            return False
        self.position += 1
        return True

    def message(self, name, end):
        encoded = b""
        while not self.accept(end):
            encoded += self.field(name)
        return encoded

    def field(self, message):
        name = self.take()
        if name not in MESSAGES[message]:
            sys.exit(f"make_model.py: {message} has no field {name!r}")
        number, kind = MESSAGES[message][name]
        self.accept(":")
        values = []
        if self.accept("["):
            while not self.accept("]"):
                values.append(self.value(message, name, number, kind))
                self.accept(",")
        else:
            values.append(self.value(message, name, number, kind))
        while self.peek() in (",", ";"):
            self.take()
        return b"".join(values)

    def value(self, message, name, number, kind):
        if kind == "ValueInfoProto" and self.peek().startswith('"'):
            return encode_bytes(number, value_info(self.string().decode()))
        if kind in MESSAGES:
            if self.peek().startswith('"'):
                return encode_bytes(number, self.string())
            self.take("{")
            return encode_bytes(number, self.message(kind, "}"))
        if kind == "string":
            return encode_bytes(number, self.string())
        token = self.take()
        if kind == "float":
            return encode_varint(number << 3 | 5) + struct.pack("<f", float(token))
        if kind == "double":
            return encode_varint(number << 3 | 1) + struct.pack("<d", float(token))
        names = ATTRIBUTE_TYPES if message == "AttributeProto" else DATA_TYPES
        if name == "data_location":
            names = ["DEFAULT", "EXTERNAL"]
        value = names.index(token) if token in names else int(token, 0)
        return encode_varint(number << 3) + encode_varint(value)

    def string(self):
        content = b""
        while self.peek().startswith('"'):
            text = self.take()[1:-1]
            content += text.encode().decode("unicode_escape").encode("latin-1")
        return content


def value_info(text):
    """Encodes a ValueInfoProto spelled like `x: FLOAT[2,N,?]`."""
    name, element_type, dims = re.fullmatch(
        r"(.*): *(\w+)(?:\[(.*)\])?", text
    ).groups()
    shape = b""
    if dims is not None:
        encoded = b""
        for dim in filter(None, (dim.strip() for dim in dims.split(","))):
            if re.fullmatch(r"-?\d+", dim):
                encoded_dim = encode_varint(1 << 3) + encode_varint(int(dim))
            else:
                encoded_dim = b"" if dim == "?" else encode_bytes(2, dim.encode())
            encoded += encode_bytes(1, encoded_dim)
        shape = encode_bytes(2, encoded)
    number = encode_varint(DATA_TYPES.index(element_type))
    tensor = encode_varint(1 << 3) + number + shape
    return encode_bytes(1, name.encode()) + encode_bytes(2, encode_bytes(1, tensor))


def main():
    source, directory = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    directory.mkdir(parents=True, exist_ok=True)
    sections = re.split(r"^#--- (\S+)\n", source.read_text(), flags=re.MULTILINE)
    for name, text in zip(sections[1::2], sections[2::2]):
        message = "TensorProto" if name.endswith(".pb") else "ModelProto"
        (directory / name).write_bytes(Encoder(text).message(message, ""))


if __name__ == "__main__":
    main()
