#!/usr/bin/env python3
"""Times models in ONNX Runtime alone and with meanvar.accelerate.

usage: acceleration.py [RUNS]

Needs the package meanvar with onnx and onnxruntime. Prints the median and the minimum of
RUNS runs each, 50 without that, one of each runtime in turn. Both have one thread, and
what is measured is its processor time, which other programs disturb least.
"""

import sys
import time

import numpy as np
import onnx.helper
import onnx.numpy_helper
import onnxruntime

import meanvar


def make_model(shape, axes, convolutions):
    """A normalization, alone or between convolutions of 3x3."""
    channels = shape[1]
    random = np.random.default_rng(0)
    nodes = [onnx.helper.make_node("MeanVarianceNormalization", ["a"], ["b"], axes=axes)]
    weights = []
    if convolutions:
        for name, source, result in (("w", "x", "a"), ("v", "b", "y")):
            values = random.normal(size=(channels, channels, 3, 3)) / (3 * channels**0.5)
            weights.append(onnx.numpy_helper.from_array(values.astype(np.float32), name))
            node = onnx.helper.make_node("Conv", [source, name], [result],
                                         pads=[1, 1, 1, 1])
            nodes.insert(0 if name == "w" else 2, node)
    else:
        nodes[0].input[0], nodes[0].output[0] = "x", "y"
    values = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT,
                                                 ["N", *shape[1:]]) for name in "xy"]
    graph = onnx.helper.make_graph(nodes, "model", values[:1], values[1:], weights)
    return onnx.helper.make_model(graph, ir_version=8,
                                  opset_imports=[onnx.helper.make_opsetid("", 17)])


def one_thread():
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    return options


def measure(model, x, runs):
    session = onnxruntime.InferenceSession(model.SerializeToString(), one_thread(),
                                           providers=["CPUExecutionProvider"])
    accelerated = meanvar.accelerate(model, session_options=one_thread())
    calls = [lambda: session.run(None, {"x": x}), lambda: accelerated(x)]
    times = [[], []]
    for _ in range(runs + 2):
        for call, kept in zip(calls, times):
            start = time.process_time()
            call()
            kept.append(time.process_time() - start)
    return [sorted(1e3 * t for t in kept[2:]) for kept in times]


def main():
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 50
    print(f"| model | ONNX Runtime {onnxruntime.__version__} | accelerated | ratio |")
    print("|---|---|---|---|")
    for shape, axes in [((1, 64, 112, 112), [0, 2, 3]), ((1, 64, 112, 112), [2, 3]),
                        ((32, 3, 224, 224), [0, 2, 3])]:
        x = np.random.default_rng(1).normal(size=shape).astype(np.float32)
        for convolutions in (False, True):
            model = make_model(shape, axes, convolutions)
            theirs, ours = measure(model, x, runs)
            name = " - ".join(node.op_type.replace("MeanVarianceNormalization", "MVN")
                              for node in model.graph.node)
            cells = [f"{t[len(t) // 2]:.2f} ms ({t[0]:.2f})" for t in (theirs, ours)]
            print(f"| {name}, {'x'.join(map(str, shape))}, axes {axes} | {cells[0]} | "
                  f"{cells[1]} | {theirs[len(theirs) // 2] / ours[len(ours) // 2]:.2f} |",
                  flush=True)


main()
