"""The engines that are measured, each in a module of its own.

A module is imported by the process that runs its engine only: some need settings
before their import, and some do not get on with one another.
"""

import importlib

# Name in tables: module and class. Peers are what meanvar is compared with.
OWN = {
    "meanvar": ("meanvar", "MeanVar"),
    "meanvar from C": ("meanvar", "MeanVarFromC"),
}
PEERS = {
    "ONNX Runtime": ("onnx_runtime", "OnnxRuntime"),
    "ONNX Runtime LN": ("onnx_runtime", "OnnxRuntimeLayerNormalization"),
    "OpenVINO": ("openvino_cpu", "OpenVino"),
    "XLA": ("xla", "Xla"),
    "XLA -reduce": ("xla", "XlaWithoutYnnReduce"),
    "IREE": ("iree_cpu", "Iree"),
    "PyTorch": ("pytorch", "PyTorch"),
    "NumPy": ("numpy_arrays", "NumPy"),
}
COPIES = {
    "memcpy": ("copies", "Memcpy"),
    "streaming copy": ("copies", "StreamingCopy"),
}
ALL = {**OWN, **PEERS, **COPIES}


def create(name, threads):
    """Creates the engine `name` in this process, for `threads` threads."""
    module, class_name = ALL[name]
    return getattr(importlib.import_module(f"engines.{module}"), class_name)(threads)
