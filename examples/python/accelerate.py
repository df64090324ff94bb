"""Accelerates the MeanVarianceNormalization inside a model that ONNX Runtime runs.

A small network of two convolutions with a normalization between them: meanvar computes
the normalization, ONNX Runtime the rest. Compares the results with those of ONNX Runtime
alone, and times both.
"""

import time

import meanvar
import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper


def make_model(size):
    generator = np.random.default_rng(3)
    weights = [generator.normal(0, 0.2, (3, 3, 3, 3)).astype(np.float32) for _ in range(2)]
    nodes = [helper.make_node("Conv", ["images", "w0"], ["features"], pads=[1] * 4),
             helper.make_node("MeanVarianceNormalization", ["features"], ["normalized"],
                              axes=[0, 2, 3]),
             helper.make_node("Conv", ["normalized", "w1"], ["result"], pads=[1] * 4)]
    images, result = (helper.make_tensor_value_info(name, TensorProto.FLOAT,
                                                    ["N", 3, size, size])
                      for name in ("images", "result"))
    graph = helper.make_graph(nodes, "network", [images], [result],
                              [numpy_helper.from_array(w, f"w{i}")
                               for i, w in enumerate(weights)])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def milliseconds(call):
    call()
    times = []
    for _ in range(10):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e3 * min(times)


def main():
    model = make_model(size=112)
    onnx.checker.check_model(model)
    images = np.random.default_rng(4).uniform(0, 1, (16, 3, 112, 112)).astype(np.float32)

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model.SerializeToString(), options,
                                           providers=["CPUExecutionProvider"])
    accelerated = meanvar.accelerate(model, session_options=options)
    print(accelerated.partition)

    [expected] = session.run(None, {"images": images})
    [result] = accelerated.run({"images": images})
    error = np.abs(result - expected).max()
    print(f"largest difference from ONNX Runtime: {error:.1e}")
    print(f"ONNX Runtime {milliseconds(lambda: session.run(None, {'images': images})):.1f} ms, "
          f"accelerated {milliseconds(lambda: accelerated.run({'images': images})):.1f} ms")
    assert error < 1e-4


if __name__ == "__main__":
    main()
