"""F3, F4: what upstream leaves undefined is checked before anything is written."""

import numpy as np
import pytest

import harness


def scalars(**values):
    """Options for index arguments, which precede the tensors of each program."""
    return [f"--input=index={value}" for value in values.values()]


ELEMENTS = np.arange(8.0)
LARGEST = 2**63 - 1

SLICE = """
func.func @main(%o: index, %n: index, %s: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.extract_slice %x[%o] [%n] [%s] : tensor<?xf32> to tensor<?xf32>
  return %0 : tensor<?xf32>
}"""


@pytest.mark.parametrize("o, n, s", [(0, 8, 1), (3, 5, 1), (7, 1, LARGEST), (1, 3, 3), (8, 0, 1),
                                     (0, 0, 5)])
def test_slices_within(o, n, s, tmp_path):
    [got] = harness.run(tmp_path, SLICE, [("f32", ELEMENTS)], ["f32"], scalars(o=o, n=n, s=s))
    np.testing.assert_array_equal(got, ELEMENTS[o:][::s][:n])


@pytest.mark.parametrize("o, n, s, words", [
    (4, 5, 1, "slice ends at 9 in dimension 0, which has size 8"),
    (10**12, 1, 1, "slice ends at 1000000000001 in"),
    (9, 0, 1, "slice ends at 9 in"),
    (0, 3, 4, "slice ends at 9 in"),
    (8, 1, 2, "slice ends at 9 in"),
    (1, LARGEST, 1, f"slice ends at {LARGEST} in"),
    # (n - 1) * s is 2^64, which would be 0 again.
    (0, 2**32 + 1, 2**32, "slice ends at 1 in"),
    (-1, 2, 1, "has offset -1 in dimension 0 (allowed: at least 0)"),
    (0, -1, 1, "has size -1 in dimension 0 (allowed: at least 0)"),
    (0, 2, 0, "has stride 0 in dimension 0 (allowed: at least 1)"),
])
def test_slices_beyond(o, n, s, words, tmp_path):
    harness.refuse(tmp_path, SLICE, [("f32", ELEMENTS)], ["'tensor.extract_slice'", words],
                   scalars(o=o, n=n, s=s))


INSERTION = """
func.func @main(%o: index, %n: index, %x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.insert_slice %x into %y[%o] [%n] [1] : tensor<?xf32> into tensor<?xf32>
  return %0 : tensor<?xf32>
}"""


def test_insertion(tmp_path):
    inputs = [("f32", np.ones(3)), ("f32", ELEMENTS)]
    [got] = harness.run(tmp_path, INSERTION, inputs, ["f32"], scalars(o=5, n=3))
    np.testing.assert_array_equal(got, [0, 1, 2, 3, 4, 1, 1, 1])
    harness.refuse(tmp_path, INSERTION, inputs, ["slice ends at 9 in dimension 0, which has size 8"],
                   scalars(o=6, n=3))
    harness.refuse(tmp_path, INSERTION, inputs, ["operand 0 has size 3", "size 2 of the slice"],
                   scalars(o=0, n=2))


ELEMENT = """
func.func @main(%i: index, %x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = tensor.extract %x[%i] : tensor<?xf32>
  %c0 = arith.constant 0 : index
  %1 = tensor.insert %0 into %x[%c0] : tensor<?xf32>
  return %1 : tensor<?xf32>
}"""


def test_elements(tmp_path):
    [got] = harness.run(tmp_path, ELEMENT, [("f32", ELEMENTS)], ["f32"], scalars(i=7))
    np.testing.assert_array_equal(got, [7, 1, 2, 3, 4, 5, 6, 7])
    for i in (8, -1, LARGEST):
        harness.refuse(tmp_path, ELEMENT, [("f32", ELEMENTS)],
                       [f"'tensor.extract' has index {i} in dimension 0, which has size 8"],
                       scalars(i=i))
    harness.refuse(tmp_path, ELEMENT, [("f32", np.zeros(0))], ["which has size 0"], scalars(i=0))


WINDOWS = """
func.func @main(%n: index, %x: tensor<?xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %zero) -> tensor<4xf32> {
    %odd = arith.andi %i, %c1 : index
    %isOdd = arith.cmpi eq, %odd, %c1 : index
    %1 = scf.if %isOdd -> tensor<4xf32> {
      %2 = tensor.extract_slice %x[%i] [4] [1] : tensor<?xf32> to tensor<4xf32>
      %3 = arith.addf %a, %2 : tensor<4xf32>
      scf.yield %3 : tensor<4xf32>
    } else {
      scf.yield %a : tensor<4xf32>
    }
    scf.yield %1 : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}"""


def test_iterations_and_branches_are_checked_before_the_first(tmp_path):
    inputs = [("f32", ELEMENTS)]
    [got] = harness.run(tmp_path, WINDOWS, inputs, ["f32"], scalars(n=5))
    np.testing.assert_array_equal(got, ELEMENTS[1:5] + ELEMENTS[3:7])
    # Iteration 5 would end at 9; iteration 4 reads nothing.
    harness.refuse(tmp_path, WINDOWS, inputs, ["slice ends at 9 in dimension 0, which has size 8"],
                   scalars(n=6))


REVERSAL = """
func.func @main(%last: index, %x: tensor<?xf32>, %y: tensor<?x2xf32>) -> tensor<?x2xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]} outs(%y : tensor<?x2xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %k = arith.subi %last, %i : index
    %e = tensor.extract %x[%k] : tensor<?xf32>
    linalg.yield %e : f32
  } -> tensor<?x2xf32>
  return %0 : tensor<?x2xf32>
}"""


def test_elements_in_bodies(tmp_path):
    x = ("f32", ELEMENTS)
    [got] = harness.run(tmp_path, REVERSAL, [x, ("f32", np.zeros((8, 2)))], ["f32"],
                        scalars(last=7))
    np.testing.assert_array_equal(got, np.stack([ELEMENTS[::-1]] * 2, axis=1))
    harness.refuse(tmp_path, REVERSAL, [x, ("f32", np.zeros((9, 2)))],
                   ["'tensor.extract' has index -1 in dimension 0, which has size 8"],
                   scalars(last=7))
    # No index, no element.
    harness.run(tmp_path, REVERSAL, [x, ("f32", np.zeros((0, 2)))], ["f32"], scalars(last=99))


CONVOLUTION = """
func.func @main(%x: tensor<?xf32>, %k: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  %0 = linalg.conv_1d ins(%x, %k : tensor<?xf32>, tensor<?xf32>) outs(%o : tensor<?xf32>)
      -> tensor<?xf32>
  return %0 : tensor<?xf32>
}"""


def test_convolution(tmp_path):
    def inputs(outputs):
        return [("f32", ELEMENTS), ("f32", np.ones(3)), ("f32", np.zeros(outputs))]
    [got] = harness.run(tmp_path, CONVOLUTION, inputs(6), ["f32"])
    np.testing.assert_array_equal(got, np.convolve(ELEMENTS, np.ones(3), "valid"))
    harness.refuse(tmp_path, CONVOLUTION, inputs(7),
                   ["'linalg.conv_1d' reaches index 8 in dimension 0 of operand 0, which has size 8"])
    harness.run(tmp_path, CONVOLUTION, inputs(0), ["f32"])


TABLE = """
func.func @main(%n: index, %m: index, %f: tensor<f32>) -> tensor<?xf32> {
  %e = tensor.extract %f[] : tensor<f32>
  %0 = tensor.splat %e[%n, %m] : tensor<?x?xf32>
  %1 = meanvar.mvn %0 axes = [1] : tensor<?x?xf32>
  %init = tensor.splat %e[%n] : tensor<?xf32>
  %2 = linalg.reduce { arith.addf } ins(%1 : tensor<?x?xf32>) outs(%init : tensor<?xf32>)
      dimensions = [1]
  return %2 : tensor<?xf32>
}"""


@pytest.mark.parametrize("n, m, words", [
    (-1, 4, "result has size -1 in dimension 0 (allowed: at least 0)"),
    (4, -1, "result has size -1 in dimension 1 (allowed: at least 0)"),
    (4, 2**60, f"result has more than {LARGEST} bytes"),
    (2**32, 2**32, f"result has more than {LARGEST} bytes"),
])
def test_sizes_of_temporaries(n, m, words, tmp_path):
    [got] = harness.run(tmp_path, TABLE, [("f32", 2.0)], ["f32"], scalars(n=3, m=5))
    np.testing.assert_array_equal(got, [2, 2, 2])
    harness.refuse(tmp_path, TABLE, [("f32", 2.0)], ["'tensor.splat'", words], scalars(n=n, m=m))


@pytest.mark.parametrize("threads", [1, 2])
def test_temporaries_that_do_not_fit(threads, tmp_path):
    """More than a process can address, whatever the system promises."""
    harness.refuse(tmp_path, TABLE, [("f32", 2.0)],
                   ["function 'main': not enough memory for a temporary of"],
                   scalars(n=2**10, m=2**48) + [f"--threads={threads}"])


@pytest.mark.parametrize("step", [0, -1])
def test_steps_that_do_not_advance(step, tmp_path):
    harness.refuse(tmp_path, """
        func.func @main(%step: index, %x: tensor<3xf32>) -> tensor<3xf32> {
          %c0 = arith.constant 0 : index
          %c4 = arith.constant 4 : index
          %0 = scf.for %i = %c0 to %c4 step %step iter_args(%a = %x) -> tensor<3xf32> {
            %1 = meanvar.mvn %a axes = [0] : tensor<3xf32>
            scf.yield %1 : tensor<3xf32>
          }
          return %0 : tensor<3xf32>
        }""", [("f32", np.ones(3))], [f"'scf.for' has the step {step}"], scalars(step=step))


@pytest.mark.parametrize("name", ["add", "select", "softmax", "concat", "expand", "pad", "reshape"])
def test_sizes_that_disagree(name, tmp_path):
    body, words = {
        "add": ("%0 = arith.addf %x, %y : tensor<?xf32>", "'arith.addf' operand 1 has size 3"),
        "select": ("""%c = arith.constant 0 : index
                      %n = tensor.dim %x, %c : tensor<?xf32>
                      %flag = arith.cmpi eq, %n, %c : index
                      %0 = arith.select %flag, %x, %y : tensor<?xf32>""",
                   "'arith.select' operand 2 has size 3"),
        "softmax": ("""%0 = linalg.softmax dimension(0) ins(%x : tensor<?xf32>)
                       outs(%y : tensor<?xf32>) -> tensor<?xf32>""",
                    "'linalg.softmax' operand 1 has size 3"),
        "concat": ("""%1 = tensor.concat dim(0) %x, %y : (tensor<?xf32>, tensor<?xf32>) -> tensor<9xf32>
                      %0 = tensor.cast %1 : tensor<9xf32> to tensor<?xf32>""",
                   "'tensor.concat' result has size 11 in dimension 0, but its declared size is 9"),
        "expand": ("""%c3 = arith.constant 3 : index
                      %1 = tensor.expand_shape %x [[0, 1]] output_shape [%c3, 3]
                          : tensor<?xf32> into tensor<?x3xf32>
                      %0 = tensor.collapse_shape %1 [[0, 1]] : tensor<?x3xf32> into tensor<?xf32>""",
                   "'tensor.expand_shape' result has 9 elements for dimension 0, which has size 8"),
        "pad": ("""%z = arith.constant 0.0 : f32
                   %1 = tensor.pad %x low[1] high[1] {
                   ^bb0(%i: index):
                     tensor.yield %z : f32
                   } : tensor<?xf32> to tensor<9xf32>
                   %0 = tensor.cast %1 : tensor<9xf32> to tensor<?xf32>""",
                "'tensor.pad' result has size 10 in dimension 0, but its declared size is 9"),
        "reshape": ("""%c0 = arith.constant 0 : index
                       %c5 = arith.constant 5 : index
                       %shape = tensor.from_elements %c5 : tensor<1xindex>
                       %0 = tensor.reshape %x(%shape) : (tensor<?xf32>, tensor<1xindex>) -> tensor<?xf32>""",
                    "'tensor.reshape' result has 5 elements, but its operand has 8"),
    }[name]
    harness.refuse(tmp_path, f"""
        func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {{
          {body}
          return %0 : tensor<?xf32>
        }}""", [("f32", ELEMENTS), ("f32", np.ones(3))], [words])


def test_offsets_from_data_are_refused(tmp_path):
    harness.refuse(tmp_path, """
        func.func @main(%x: tensor<?xf32>, %i: tensor<?xi64>) -> tensor<?xf32> {
          %c0 = arith.constant 0 : index
          %e = tensor.extract %i[%c0] : tensor<?xi64>
          %o = arith.index_cast %e : i64 to index
          %0 = tensor.extract_slice %x[%o] [2] [1] : tensor<?xf32> to tensor<2xf32>
          %1 = tensor.cast %0 : tensor<2xf32> to tensor<?xf32>
          return %1 : tensor<?xf32>
        }""", [], ["'tensor.extract_slice' op needs a run-time check", "'main'",
                   "depends on data by 'tensor.extract'"],
        ["--input=8xf32=1", "--input=1xi64=0"])


@pytest.mark.parametrize("operation", ["divsi", "divui", "remsi", "remui", "ceildivsi",
                                       "floordivsi"])
@pytest.mark.parametrize("dtype", ["i8", "i64"])
def test_integer_divisions_do_not_trap(dtype, operation, tmp_path):
    """Of sizes, in the shape function, and of elements: others are not disturbed."""
    least = -2**(int(dtype[1:]) - 1)
    program = tmp_path / "program.mlir"
    program.write_text(f"""
        func.func @main(%a: index, %b: index, %x: tensor<3x{dtype}>, %y: tensor<3x{dtype}>)
            -> (tensor<3x{dtype}>, tensor<?xf32>) {{
          %0 = arith.{operation} %x, %y : tensor<3x{dtype}>
          %q = arith.{operation} %a, %b : index
          %c2 = arith.constant 2 : index
          %n = arith.remui %q, %c2 : index
          %f = arith.constant 0.0 : f32
          %1 = tensor.splat %f[%n] : tensor<?xf32>
          return %0, %1 : tensor<3x{dtype}>, tensor<?xf32>
        }}""")
    for divisor in (0, -1):
        process = harness.invoke(
            [str(program), f"--input=index={-2**63}", f"--input=index={divisor}",
             f"--input=3x{dtype}=[{least},{least},6]", f"--input=3x{dtype}=[0,-1,2]"], tmp_path)
        assert process.returncode == 0, process.stderr
        third = 0 if operation.startswith("rem") else 3
        assert process.stdout.splitlines()[0].endswith(f",{third}]")
