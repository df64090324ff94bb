"""Modules with changed bytes: refused with an error, or run as what they became."""

import os
import random
import subprocess

import pytest

import harness

MODULE = """
    func.func @main(%x: tensor<?x4xf32>) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
      %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
      %0 = meanvar.mvn %x axes = [-1] epsilon = 1.0e-05 inside_sqrt : tensor<?x4xf32>
      %1 = meanvar.mean %0, %c : (tensor<?x4xf32>, tensor<4xf32>) -> tensor<?x4xf32>
      return %0, %1 : tensor<?x4xf32>, tensor<?x4xf32>
    }
"""
BATCHES, FILES_PER_BATCH = 8, 24

# Attributes and types, which refer to each other by number. MLIR 22's reader does not
# end where a changed number makes one refer to itself.
ATTRIBUTE_SECTION, ATTRIBUTE_OFFSET_SECTION = 2, 3


def read_varint(data, position):
    """A number's length is given by the zeros at the low end of its first byte."""
    first = data[position]
    length = (first & -first).bit_length() if first else 9
    value = int.from_bytes(data[position:position + length], "little") >> length
    return value, position + length


def find_bytes_without_references(bytecode):
    """The positions of the bytes that do not say what attributes refer to."""
    positions = set(range(len(bytecode)))
    _, position = read_varint(bytecode, 4)
    position = bytecode.index(0, position) + 1
    while position < len(bytecode):
        identifier = bytecode[position]
        size, position = read_varint(bytecode, position + 1)
        if identifier & 0x80:
            alignment, position = read_varint(bytecode, position)
            position += -position % alignment
        if identifier & 0x7F in (ATTRIBUTE_SECTION, ATTRIBUTE_OFFSET_SECTION):
            positions -= set(range(position, position + size))
        position += size
    assert position == len(bytecode)
    return sorted(positions)


def damage(content, positions, generator):
    """Cuts the content, or changes one to four bytes of it."""
    if generator.random() < 0.25:
        return content[:generator.randrange(len(content))]
    damaged = bytearray(content)
    for position in generator.choices(positions, k=generator.randint(1, 4)):
        damaged[position] ^= generator.randrange(1, 256)
    return bytes(damaged)


def check_damaged_files(path, content, positions, seed):
    generator = random.Random(seed)
    for _ in range(FILES_PER_BATCH):
        damaged = damage(content, positions, generator)
        path.write_bytes(damaged)
        process = subprocess.run([harness.RUNNER, path, "--input=3x4xf32=1"],
                                 capture_output=True, stdin=subprocess.DEVNULL,
                                 timeout=harness.TIMEOUT_SECONDS)
        lines = process.stderr.splitlines()
        has_error = any(line.startswith(b"error: ") for line in lines)
        assert process.returncode == (1 if has_error else 0), (damaged, process.stderr)


# Where a changed count is huge, memory for it is taken at once, which the runner limits
# without the sanitizers only.
@pytest.mark.skipif("ASAN_OPTIONS" in os.environ, reason="memory is not limited")
@pytest.mark.parametrize("seed", range(BATCHES))
def test_damaged_bytecode(tmp_path, seed):
    optimizer = os.path.join(os.path.dirname(harness.RUNNER), "meanvar-opt")
    # From standard input: bytecode holds the names of files, which differ.
    bytecode = subprocess.run([optimizer, "-", "--emit-bytecode"], check=True,
                              input=MODULE.encode(), capture_output=True).stdout
    check_damaged_files(tmp_path / "module.mlirbc", bytecode,
                        find_bytes_without_references(bytecode), seed)


@pytest.mark.parametrize("seed", range(BATCHES))
def test_damaged_text(tmp_path, seed):
    text = MODULE.encode()
    check_damaged_files(tmp_path / "module.mlir", text, range(len(text)), seed)
