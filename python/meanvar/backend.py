"""ONNX's backend interface, which the optional package `onnx` defines.

    import meanvar.backend
    [y] = meanvar.backend.run_model(model, [x])

What cannot be compiled raises `meanvar.CompilationError`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import onnx
import onnx.checker
import onnx.helper
import onnx.numpy_helper
import onnx.shape_inference
from onnx.backend.base import Backend, BackendRep, Device, DeviceType, namedtupledict

from meanvar import _meanvar
from meanvar._errors import CompilationError
from meanvar._functions import compile_model
from meanvar._meanvar import Function

# What the compiler says of axes and shapes that are inputs.
_VALUE_IS_NOT_KNOWN = "is known at run time only"

# Sets of values for which a model keeps a compiled function.
_MAX_FUNCTIONS = 16


class MeanVarBackendRep(BackendRep):
    """A model ready to run.

    The compiler has to know the values of axes and shapes. Where they are inputs of the
    model, it is compiled when it runs, once for each set of their values.
    """

    def __init__(self, model: onnx.ModelProto, values_are_known: bool,
                 options: Mapping[str, Any]) -> None:
        self._model = model
        self._options = dict(options)
        self._inputs = _free_inputs(model.graph)
        self._known_names = [] if values_are_known else _integer_inputs(model.graph)
        self._functions: dict[tuple[bytes, ...], Function] = {}
        self._outputs = namedtupledict("Outputs", [v.name for v in model.graph.output])
        if values_are_known:
            self._functions[()] = compile_model(model.SerializeToString(), **options)

    def run(self, inputs: Any, **kwargs: Any) -> tuple[Any, ...]:
        """Runs the model on arrays in the order of its inputs, or by their names.

        Returns a tuple that can also be indexed by the names of the outputs. A model with
        one input takes a lone array, too.
        """
        for name in kwargs:
            raise TypeError(f"run got an unexpected option {name!r} (allowed: none)")
        feed = self._name_inputs(inputs)
        function = self._function_for(feed)
        return self._outputs(*function.run(
            {value.name: feed[value.name] for value in function.inputs}))

    def _name_inputs(self, inputs: Any) -> dict[str, Any]:
        if not isinstance(inputs, Mapping):
            if not isinstance(inputs, (list, tuple)):
                inputs = [inputs]
            if len(inputs) != len(self._inputs):
                raise ValueError(f"the model takes {len(self._inputs)} inputs, but got "
                                 f"{len(inputs)}")
            return dict(zip(self._inputs, inputs))
        if sorted(inputs) != sorted(self._inputs):
            raise ValueError(f"the inputs are named {_list(inputs)} "
                             f"(allowed: {_list(self._inputs)})")
        return dict(inputs)

    def _function_for(self, feed: Mapping[str, Any]) -> Function:
        known = {name: np.ascontiguousarray(feed[name]) for name in self._known_names}
        key = tuple(b"%d " % value.ndim + value.tobytes() for value in known.values())
        if key not in self._functions:
            model = _with_constants(self._model, known)
            function = compile_model(model.SerializeToString(), **self._options)
            while len(self._functions) >= _MAX_FUNCTIONS:
                del self._functions[next(iter(self._functions))]
            self._functions[key] = function
        return self._functions[key]


class MeanVarBackend(Backend):
    """Runs ONNX models and nodes on this CPU."""

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether `device` is the CPU: "CPU" or "CPU:0"."""
        try:
            parsed = Device(device)
        except (AttributeError, ValueError):
            return False
        return parsed.type == DeviceType.CPU and parsed.device_id == 0

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU",
                      **kwargs: Any) -> bool:
        """Whether the compiler supports all nodes of the model."""
        if not cls.supports_device(device):
            return False
        try:
            _values_are_known(model, kwargs.get("directory"))
        except CompilationError:
            return False
        return True

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU",
                **kwargs: Any) -> MeanVarBackendRep:
        """Compiles a model. The options are `target`, `threads` and `opt_level` as of
        `meanvar.load`, and `directory`, where external data is."""
        cls._require_device(device)
        onnx.checker.check_model(model)
        known = _values_are_known(model, kwargs.get("directory"))
        return MeanVarBackendRep(model, known, kwargs)

    @classmethod
    def run_model(cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU",
                  **kwargs: Any) -> tuple[Any, ...]:
        """Compiles a model and runs it once."""
        return cls.prepare(model, device, **kwargs).run(inputs)

    @classmethod
    def run_node(cls, node: onnx.NodeProto, inputs: Any, device: str = "CPU",
                 outputs_info: Sequence[tuple[Any, Sequence[int]]] | None = None,
                 **kwargs: Any) -> tuple[Any, ...]:
        """Compiles a node for these inputs and runs it once.

        `outputs_info` has the type and the shape of each output, which are inferred
        without it. `opset_version` chooses the opset, of the standard domain.
        """
        cls._require_device(device)
        opset = kwargs.pop("opset_version", onnx.defs.onnx_opset_version())
        super().run_node(node, inputs, device, outputs_info, opset_version=opset)
        if not isinstance(inputs, (list, tuple)):
            inputs = [inputs]
        names = [name for name in node.input if name]
        if len(names) != len(inputs):
            raise ValueError(f"node {node.op_type!r} takes {len(names)} inputs, but got "
                             f"{len(inputs)}")
        feed = {name: np.asarray(array) for name, array in zip(names, inputs)}
        return cls.run_model(_make_model(node, feed, outputs_info, opset), feed, device,
                             **kwargs)

    @classmethod
    def _require_device(cls, device: str) -> None:
        if not cls.supports_device(device):
            raise ValueError(f"device {device!r} is not supported (allowed: 'CPU')")


def _list(names: Iterable[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "none"


def _free_inputs(graph: onnx.GraphProto) -> list[str]:
    """The inputs without a default value, which a compiled function would take as a
    constant."""
    constants = {tensor.name for tensor in graph.initializer}
    return [value.name for value in graph.input if value.name not in constants]


def _integer_inputs(graph: onnx.GraphProto) -> list[str]:
    """The inputs that may be axes or shapes."""
    free = set(_free_inputs(graph))
    return [value.name for value in graph.input if value.name in free
            and value.type.tensor_type.elem_type == onnx.TensorProto.INT64
            and len(value.type.tensor_type.shape.dim) <= 1]


def _values_are_known(model: onnx.ModelProto, directory: str | None = None) -> bool:
    """Whether the model can be compiled before it runs, since its axes and shapes are
    constants.

    Raises CompilationError where something else keeps the model from being compiled.
    """
    try:
        _meanvar.check_model(model.SerializeToString(), directory)
    except CompilationError as error:
        if _VALUE_IS_NOT_KNOWN in str(error) and _integer_inputs(model.graph):
            return False
        raise
    return True


def _with_constants(model: onnx.ModelProto,
                    values: Mapping[str, np.ndarray]) -> onnx.ModelProto:
    """Returns a model with constants in place of inputs."""
    result = onnx.ModelProto()
    result.CopyFrom(model)
    kept = [value for value in result.graph.input if value.name not in values]
    del result.graph.input[:]
    result.graph.input.extend(kept)
    result.graph.initializer.extend(onnx.numpy_helper.from_array(value, name)
                                    for name, value in values.items())
    return result


def _make_model(node: onnx.NodeProto, feed: Mapping[str, np.ndarray],
                outputs_info: Sequence[tuple[Any, Sequence[int]]] | None,
                opset: int) -> onnx.ModelProto:
    """Returns a model of one node."""
    inputs = [onnx.helper.make_tensor_value_info(
        name, onnx.helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in feed.items()]
    names = [name for name in node.output if name]
    if outputs_info is None:
        outputs = [onnx.ValueInfoProto(name=name) for name in names]
    else:
        outputs = [onnx.helper.make_tensor_value_info(
            name, onnx.helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)
            for name, (dtype, shape) in zip(names, outputs_info)]
    graph = onnx.helper.make_graph([node], "node", inputs, outputs)
    model = onnx.helper.make_model(
        graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
    if outputs_info is None:
        known = {name: array for name, array in feed.items() if array.dtype == np.int64}
        inferred = onnx.shape_inference.infer_shapes(_with_constants(model, known))
        del model.graph.output[:]
        model.graph.output.extend(inferred.graph.output)
    return model


is_compatible = MeanVarBackend.is_compatible
prepare = MeanVarBackend.prepare
run_model = MeanVarBackend.run_model
run_node = MeanVarBackend.run_node
supports_device = MeanVarBackend.supports_device
