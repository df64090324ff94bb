"""Modules that mix meanvar with upstream operations, and unusual functions."""

import numpy as np
import pytest

import harness
import reference
from inputs import normal


def run(directory, program, inputs, outputs, options=()):
    return harness.run(directory, program, inputs, outputs, options)


def check_mvn(got, x, **attributes):
    expected = reference.Mvn("f32", x, **attributes)
    reference.check("f32", got, expected.result, expected.bound)


def test_chain_of_both_operations(tmp_path):
    x, y = normal("f32", (5, 40), seed=1), normal("f32", (40,), seed=2)
    [got] = run(tmp_path, """
        func.func @main(%x: tensor<?x40xf32>, %y: tensor<40xf32>) -> tensor<?x40xf32> {
          %0 = meanvar.mvn %x axes = [1] : tensor<?x40xf32>
          %1 = meanvar.mean %0, %y : (tensor<?x40xf32>, tensor<40xf32>) -> tensor<?x40xf32>
          %2 = meanvar.mvn %1 axes = [0] : tensor<?x40xf32>
          return %2 : tensor<?x40xf32>
        }""", [("f32", x), ("f32", y)], ["f32"])
    inner = reference.Mvn("f32", x, [1]).result.astype(np.float64)
    expected = reference.Mvn("f32", (inner + y) / 2, [0])
    reference.check("f32", got, expected.result, expected.bound * 8)


def test_layer_normalization_with_affine_part(tmp_path):
    x = normal("f32", (3, 64), seed=3)
    gamma, beta = normal("f32", (64,), seed=4), normal("f32", (64,), seed=5)
    [got] = run(tmp_path, """
        #row = affine_map<(i, j) -> (i, j)>
        #column = affine_map<(i, j) -> (j)>
        func.func @main(%x: tensor<3x64xf32>, %gamma: tensor<64xf32>,
                        %beta: tensor<64xf32>) -> tensor<3x64xf32> {
          %0 = meanvar.mvn %x axes = [1] epsilon = 1.0e-5 inside_sqrt : tensor<3x64xf32>
          %empty = tensor.empty() : tensor<3x64xf32>
          %1 = linalg.generic {indexing_maps = [#row, #column, #column, #row],
                               iterator_types = ["parallel", "parallel"]}
              ins(%0, %gamma, %beta : tensor<3x64xf32>, tensor<64xf32>, tensor<64xf32>)
              outs(%empty : tensor<3x64xf32>) {
          ^bb0(%n: f32, %g: f32, %b: f32, %out: f32):
            %scaled = arith.mulf %n, %g : f32
            %shifted = arith.addf %scaled, %b : f32
            linalg.yield %shifted : f32
          } -> tensor<3x64xf32>
          return %1 : tensor<3x64xf32>
        }""", [("f32", x), ("f32", gamma), ("f32", beta)], ["f32"])
    normalized = reference.Mvn("f32", x, [1], 1e-5, True).result
    np.testing.assert_allclose(got, (normalized * gamma + beta).astype(float),
                               rtol=1e-5, atol=1e-5)


def test_slices_and_reshapes(tmp_path):
    x = normal("f32", (6, 10), seed=6)
    [got] = run(tmp_path, """
        func.func @main(%x: tensor<6x10xf32>) -> tensor<4x2x5xf32> {
          %0 = tensor.extract_slice %x[1, 0] [4, 10] [1, 1]
              : tensor<6x10xf32> to tensor<4x10xf32>
          %1 = tensor.expand_shape %0 [[0], [1, 2]] output_shape [4, 2, 5]
              : tensor<4x10xf32> into tensor<4x2x5xf32>
          %2 = meanvar.mvn %1 axes = [0, 2] : tensor<4x2x5xf32>
          return %2 : tensor<4x2x5xf32>
        }""", [("f32", x)], ["f32"])
    check_mvn(got, x[1:5].reshape(4, 2, 5), axes=[0, 2])


def test_strided_slice(tmp_path):
    x = normal("f32", (9, 30), seed=7)
    [got] = run(tmp_path, """
        func.func @main(%x: tensor<9x30xf32>) -> tensor<5x10xf32> {
          %0 = tensor.extract_slice %x[0, 1] [5, 10] [2, 3]
              : tensor<9x30xf32> to tensor<5x10xf32>
          %1 = meanvar.mvn %0 axes = [1] : tensor<5x10xf32>
          return %1 : tensor<5x10xf32>
        }""", [("f32", x)], ["f32"])
    check_mvn(got, x[::2, 1:30:3], axes=[1])


def test_transposed_input(tmp_path):
    x = normal("f32", (8, 21), seed=8)
    [got] = run(tmp_path, """
        func.func @main(%x: tensor<8x21xf32>) -> tensor<21x8xf32> {
          %empty = tensor.empty() : tensor<21x8xf32>
          %0 = linalg.transpose ins(%x : tensor<8x21xf32>) outs(%empty : tensor<21x8xf32>)
              permutation = [1, 0]
          %1 = meanvar.mvn %0 axes = [1] : tensor<21x8xf32>
          return %1 : tensor<21x8xf32>
        }""", [("f32", x)], ["f32"])
    check_mvn(got, x.T, axes=[1])


@pytest.mark.parametrize("flag", [0, 1])
def test_scalar_argument_and_branch(flag, tmp_path):
    x = normal("f32", (4, 18), seed=9)
    program = """
        func.func @main(%rows: i64, %x: tensor<4x18xf32>) -> tensor<4x18xf32> {
          %zero = arith.constant 0 : i64
          %choose = arith.cmpi ne, %rows, %zero : i64
          %0 = scf.if %choose -> tensor<4x18xf32> {
            %1 = meanvar.mvn %x axes = [1] : tensor<4x18xf32>
            scf.yield %1 : tensor<4x18xf32>
          } else {
            %1 = meanvar.mvn %x axes = [0] : tensor<4x18xf32>
            scf.yield %1 : tensor<4x18xf32>
          }
          return %0 : tensor<4x18xf32>
        }"""
    # Options come before the inputs of the harness, so the scalar is the first one.
    [got] = run(tmp_path, program, [("f32", x)], ["f32"], [f"--input=i64={flag}"])
    check_mvn(got, x, axes=[1] if flag else [0])


def test_loop(tmp_path):
    x = normal("f32", (3, 25), seed=10)
    [got] = run(tmp_path, """
        func.func @main(%x: tensor<3x25xf32>) -> tensor<3x25xf32> {
          %c0 = arith.constant 0 : index
          %c1 = arith.constant 1 : index
          %c3 = arith.constant 3 : index
          %0 = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %x) -> tensor<3x25xf32> {
            %1 = meanvar.mvn %t axes = [1] : tensor<3x25xf32>
            scf.yield %1 : tensor<3x25xf32>
          }
          return %0 : tensor<3x25xf32>
        }""", [("f32", x)], ["f32"])
    expected = reference.Mvn("f32", x, [1])
    reference.check("f32", got, expected.result, expected.bound * 3)


def test_call_of_a_private_function(tmp_path):
    x = normal("f32", (3, 25), seed=11)
    [got] = run(tmp_path, """
        func.func private @normalize(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
          %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
          return %0 : tensor<?x?xf32>
        }
        func.func @main(%x: tensor<3x25xf32>) -> tensor<?x?xf32> {
          %0 = tensor.cast %x : tensor<3x25xf32> to tensor<?x?xf32>
          %1 = call @normalize(%0) : (tensor<?x?xf32>) -> tensor<?x?xf32>
          return %1 : tensor<?x?xf32>
        }""", [("f32", x)], ["f32"])
    check_mvn(got, x, axes=[1])


def test_constant_operand(tmp_path):
    x = normal("f32", (2, 3), seed=12)
    [got] = run(tmp_path, """
        func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
          %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
          %0 = meanvar.mean %x, %c : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
          return %0 : tensor<2x3xf32>
        }""", [("f32", x)], ["f32"])
    want = reference.mean([x, np.array([1.0, 2, 3])])
    reference.check("f32", got, want, reference.mean_bound("f32", [x, np.ones(3)], want))


def test_constant_result(tmp_path):
    [got] = run(tmp_path, """
        func.func @main() -> tensor<2x2xf32> {
          %c = arith.constant dense<[[1.0, 3.0], [2.0, 2.0]]> : tensor<2x2xf32>
          %0 = meanvar.mvn %c axes = [1] center_only : tensor<2x2xf32>
          return %0 : tensor<2x2xf32>
        }""", [], ["f32"])
    np.testing.assert_array_equal(got, [[-1, 1], [0, 0]])


def test_results_that_are_inputs_or_one_another(tmp_path):
    x = normal("f32", (4, 9), seed=13)
    y, z, same, again = run(tmp_path, """
        func.func @main(%x: tensor<4x9xf32>)
            -> (tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>) {
          %0 = meanvar.mvn %x axes = [1] : tensor<4x9xf32>
          %1 = meanvar.mvn %0 axes = [0] : tensor<4x9xf32>
          return %0, %1, %x, %0
              : tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>, tensor<4x9xf32>
        }""", [("f32", x)], ["f32"] * 4)
    check_mvn(y, x, axes=[1])
    check_mvn(z, y, axes=[0])
    np.testing.assert_array_equal(same, x)
    np.testing.assert_array_equal(again, y)


def test_one_of_several_functions(tmp_path):
    x = normal("f32", (4, 9), seed=14)
    program = """
        func.func @rows(%x: tensor<4x9xf32>) -> tensor<4x9xf32> {
          %0 = meanvar.mvn %x axes = [1] : tensor<4x9xf32>
          return %0 : tensor<4x9xf32>
        }
        func.func @columns(%x: tensor<4x9xf32>) -> tensor<4x9xf32> {
          %0 = meanvar.mvn %x axes = [0] : tensor<4x9xf32>
          return %0 : tensor<4x9xf32>
        }"""
    [got] = run(tmp_path, program, [("f32", x)], ["f32"], ["--function=columns"])
    check_mvn(got, x, axes=[0])
    harness.refuse(tmp_path, program, [("f32", x)], ["rows", "columns"])
    harness.refuse(tmp_path, program, [("f32", x)], ["nowhere"], ["--function=nowhere"])


def test_sizes_that_depend_on_data_are_refused(tmp_path):
    """F3: at compile time, by name."""
    harness.refuse(tmp_path, """
        func.func @main(%x: tensor<4xf32>) -> tensor<?xf32> {
          %c0 = arith.constant 0 : index
          %first = tensor.extract %x[%c0] : tensor<4xf32>
          %wide = arith.fptosi %first : f32 to i64
          %size = arith.index_cast %wide : i64 to index
          %0 = tensor.extract_slice %x[0] [%size] [1] : tensor<4xf32> to tensor<?xf32>
          %1 = meanvar.mvn %0 axes = [0] : tensor<?xf32>
          return %1 : tensor<?xf32>
        }""", [("f32", np.ones(4))], ["main"])


@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v3", "host"])
@pytest.mark.parametrize("dtype", ["f16", "f32", "f64"])
@pytest.mark.parametrize("columns", [2, 3, 4, 6, 8, 12, 16, 17])
def test_transposed_short_rows(columns, dtype, cpu, tmp_path):
    """Of the module itself, by the shuffles that short lanes are transposed with."""
    rows = 64
    x, y = normal(dtype, (rows, columns), seed=6), normal(dtype, (columns, rows), seed=7)
    matrix, transposed = f"tensor<{rows}x{columns}x{dtype}>", f"tensor<{columns}x{rows}x{dtype}>"
    results = run(tmp_path, f"""
        func.func @main(%x: {matrix}, %y: {transposed}) -> ({transposed}, {matrix}) {{
          %0 = tensor.empty() : {transposed}
          %1 = linalg.transpose ins(%x : {matrix}) outs(%0 : {transposed}) permutation = [1, 0]
          %2 = tensor.empty() : {matrix}
          %3 = linalg.transpose ins(%y : {transposed}) outs(%2 : {matrix}) permutation = [1, 0]
          return %1, %3 : {transposed}, {matrix}
        }}""", [(dtype, x), (dtype, y)], [dtype, dtype], [f"--target-cpu={cpu}"])
    for got, source in zip(results, [x, y], strict=True):
        np.testing.assert_array_equal(got, source.T)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("columns", [4, 7, 16])
def test_normalized_transposed_short_rows(columns, axis, tmp_path):
    """Transpositions of the module meet those that its normalization makes."""
    x = normal("f32", (columns, 64), seed=8)
    [got] = run(tmp_path, f"""
        func.func @main(%x: tensor<{columns}x64xf32>) -> tensor<{columns}x64xf32> {{
          %0 = tensor.empty() : tensor<64x{columns}xf32>
          %1 = linalg.transpose ins(%x : tensor<{columns}x64xf32>)
              outs(%0 : tensor<64x{columns}xf32>) permutation = [1, 0]
          %2 = meanvar.mvn %1 axes = [{axis}] : tensor<64x{columns}xf32>
          %3 = tensor.empty() : tensor<{columns}x64xf32>
          %4 = linalg.transpose ins(%2 : tensor<64x{columns}xf32>)
              outs(%3 : tensor<{columns}x64xf32>) permutation = [1, 0]
          return %4 : tensor<{columns}x64xf32>
        }}""", [("f32", x)], ["f32"])
    check_mvn(got, x, axes=[1 - axis])


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_optimization_levels(level, tmp_path):
    x = normal("f32", (7, 130), seed=15)
    [got] = run(tmp_path, """
        func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
          %0 = meanvar.mvn %x axes = [1] : tensor<?x?xf32>
          return %0 : tensor<?x?xf32>
        }""", [("f32", x)], ["f32"], [f"--opt-level={level}"])
    check_mvn(got, x, axes=[1])


@pytest.mark.parametrize("cpu", ["x86-64", "x86-64-v2", "x86-64-v3"])
@pytest.mark.parametrize("dtype", ["f16", "bf16", "f32", "f64"])
def test_older_targets(dtype, cpu, tmp_path):
    """Without vector conversions of f16, without fma, with narrower registers."""
    x = normal(dtype, (7, 130), seed=16)
    [got] = run(tmp_path, f"""
        func.func @main(%x: tensor<7x130x{dtype}>) -> tensor<7x130x{dtype}> {{
          %0 = meanvar.mvn %x axes = [1] : tensor<7x130x{dtype}>
          return %0 : tensor<7x130x{dtype}>
        }}""", [(dtype, x)], [dtype], [f"--target-cpu={cpu}"])
    expected = reference.Mvn(dtype, x, [1])
    reference.check(dtype, got, expected.result, expected.bound)


CONVERTING_TARGETS = ["x86-64", "x86-64-v3", "host"]


def every_number(dtype):
    """All numbers of a 16-bit type that are not negative, with infinity."""
    if dtype == "f16":
        return np.arange(0x7C01, dtype=np.uint16).view(np.float16).astype(np.float64)
    return (np.arange(0x7F81, dtype=np.uint32) << 16).view(np.float32).astype(np.float64)


@pytest.mark.parametrize("cpu", CONVERTING_TARGETS)
@pytest.mark.parametrize("source", ["f32", "f64"])
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_conversion_to_16_bits_rounds_once(dtype, source, cpu, tmp_path):
    """All midpoints and what is next to them, subnormals, and the ends."""
    numbers = every_number(dtype)[:-1]
    middle = (numbers[:-1] + numbers[1:]) / 2
    steps = [0, 2.0 ** -23, -(2.0 ** -23)]
    if source == "f64":
        steps += [2.0 ** -52, -(2.0 ** -52)]
    largest = numbers[-1] + (numbers[-1] - numbers[-2]) / 2
    values = np.concatenate([middle * (1 + step) for step in steps] + [-numbers,
                            [largest, -largest, np.inf, -np.inf, 1e30, 5e-41, -1e-9]])
    values = reference.quantize(source, values)
    [got] = run(tmp_path, f"""
        func.func @main(%x: tensor<?x{source}>) -> tensor<?x{dtype}> {{
          %0 = arith.truncf %x : tensor<?x{source}> to tensor<?x{dtype}>
          return %0 : tensor<?x{dtype}>
        }}""", [(source, values)], [dtype], [f"--target-cpu={cpu}"])
    expected = reference.quantize(dtype, values)
    np.testing.assert_array_equal(got, expected)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(values))


@pytest.mark.parametrize("cpu", CONVERTING_TARGETS)
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_conversion_to_16_bits_keeps_nan(dtype, cpu, tmp_path):
    """Rounding the bits up would make -0 of some, and infinity of others."""
    bits = [0x7F800001, 0x7F80FFFF, 0x7FC00000, 0x7FFF8000, 0x7FFFFFFF]
    values = np.array(bits + [0x80000000 | number for number in bits], np.uint32)
    [got] = run(tmp_path, f"""
        func.func @main(%x: tensor<?xf32>) -> tensor<?x{dtype}> {{
          %0 = arith.truncf %x : tensor<?xf32> to tensor<?x{dtype}>
          return %0 : tensor<?x{dtype}>
        }}""", [("f32", np.tile(values.view(np.float32), 5))], [dtype],
        [f"--target-cpu={cpu}"])
    assert np.isnan(got).all()


@pytest.mark.parametrize("cpu", CONVERTING_TARGETS)
@pytest.mark.parametrize("target", ["f32", "f64"])
@pytest.mark.parametrize("dtype", ["f16", "bf16"])
def test_conversion_from_16_bits_is_exact(dtype, target, cpu, tmp_path):
    values = every_number(dtype)
    values = np.concatenate([values, -values, [np.nan]])
    [got] = run(tmp_path, f"""
        func.func @main(%x: tensor<?x{dtype}>) -> tensor<?x{target}> {{
          %0 = arith.extf %x : tensor<?x{dtype}> to tensor<?x{target}>
          return %0 : tensor<?x{target}>
        }}""", [(dtype, values)], [target], [f"--target-cpu={cpu}"])
    np.testing.assert_array_equal(got, values)
    np.testing.assert_array_equal(np.signbit(got[:-1]), np.signbit(values[:-1]))


@pytest.mark.parametrize("cpu", CONVERTING_TARGETS)
def test_f16_arithmetic_rounds_each_operation(cpu, tmp_path):
    x, y = normal("f16", (1000,), seed=3), normal("f16", (1000,), seed=4)
    [got] = run(tmp_path, """
        func.func @main(%x: tensor<1000xf16>, %y: tensor<1000xf16>) -> tensor<1000xf16> {
          %0 = arith.mulf %x, %y : tensor<1000xf16>
          %1 = arith.addf %0, %x : tensor<1000xf16>
          return %1 : tensor<1000xf16>
        }""", [("f16", x), ("f16", y)], ["f16"], [f"--target-cpu={cpu}"])
    product = reference.quantize("f16", x * y)
    np.testing.assert_array_equal(got, reference.quantize("f16", product + x))
