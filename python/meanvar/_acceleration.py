"""Models of which meanvar computes what it supports, and ONNX Runtime the rest."""

from __future__ import annotations

import collections
import ctypes
import importlib
import os
import types
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np

from meanvar import _meanvar
from meanvar._errors import CompilationError
from meanvar._functions import compile_model
from meanvar._progress import ProgressCallback, in_steps, show_progress

if TYPE_CHECKING:
    import onnx

    from meanvar._partition import ModelGraph, Part


class ModelValue(NamedTuple):
    """An input or an output of an AcceleratedModel."""

    name: str
    dtype: np.dtype | None
    """None for what is no tensor."""
    shape: tuple[int | str | None, ...] | None
    """Sizes as of `meanvar.Value`; None where the rank is not known."""


    def __repr__(self) -> str:
        return f"Value(name={self.name!r}, dtype={self.dtype}, shape={self.shape})"


class Partition:
    """What computes which node. `print` shows it."""

    def __init__(self, graph: ModelGraph, parts: Sequence[Part],
                 reasons: Mapping[int, str]) -> None:
        self.parts: tuple[Part, ...] = tuple(parts)
        """In the order in which they run."""
        self.reasons: dict[int, str] = dict(reasons)
        """Why ONNX Runtime computes a node, by its number in the graph."""
        self._name = graph.model.graph.name
        self._operators = [node.op_type for node in graph.nodes]

    def __str__(self) -> str:
        lines = [f"graph '{self._name}' in {_count(len(self.parts), 'part')}"]
        for number, part in enumerate(self.parts):
            operators = self._count_operators(part.nodes)
            lines.append(f"  {number}: {part.runtime} computes {operators}")
        groups = collections.defaultdict(list)
        for index, reason in self.reasons.items():
            groups[reason].append(index)
        if groups:
            lines.append("why ONNX Runtime")
        for reason, indices in groups.items():
            lines.append(f"  {self._count_operators(indices)}: {reason}")
        return "\n".join(lines)

    def _count_operators(self, indices: Sequence[int]) -> str:
        counts = collections.Counter(self._operators[index] for index in indices)
        return ", ".join(f"{count} x {operator}" for operator, count in
                         counts.most_common())


class AcceleratedModel:
    """A whole model as one function of arrays. May be called from several threads at the
    same time."""

    def __init__(self, graph: ModelGraph, partition: Partition,
                 steps: Sequence[_Step]) -> None:
        self.name: str = graph.model.graph.name
        self.partition: Partition = partition
        self.inputs: list[ModelValue] = [_describe(graph, name) for name in graph.inputs]
        self.outputs: list[ModelValue] = [_describe(graph, name) for name in graph.outputs]
        self._constants = _constant_outputs(graph)
        self._steps = steps

    def __call__(self, *arrays: Any) -> Any:
        """Runs the model on arrays, in the order of `inputs`, and returns its output, or a
        tuple of them."""
        if len(arrays) != len(self.inputs):
            raise TypeError(f"model '{self.name}' takes {len(self.inputs)} inputs, but got "
                            f"{len(arrays)}")
        values = self._compute({value.name: array
                                for value, array in zip(self.inputs, arrays)})
        results = [values[value.name] for value in self.outputs]
        return results[0] if len(results) == 1 else tuple(results)

    def run(self, inputs: Mapping[str, Any],
            output_names: Sequence[str] | None = None) -> list[Any]:
        """Runs the model on a dictionary of arrays by their names, and returns a list of
        all outputs, or of those that are named."""
        known = [value.name for value in self.inputs]
        for name in known:
            if name not in inputs:
                raise ValueError(f"input '{name}' of model '{self.name}' is missing")
        for name in inputs:
            if name not in known:
                raise ValueError(f"model '{self.name}' has no input {name!r} "
                                 f"(allowed: {_list(known)})")
        names = [value.name for value in self.outputs]
        for name in output_names or ():
            if name not in names:
                raise ValueError(f"model '{self.name}' has no output {name!r} "
                                 f"(allowed: {_list(names)})")
        results = self._compute(inputs)
        return [results[name] for name in (names if output_names is None else output_names)]

    def __repr__(self) -> str:
        return (f"<meanvar.AcceleratedModel '{self.name}' of "
                f"{_list([value.name for value in self.inputs])} to "
                f"{_list([value.name for value in self.outputs])}>")

    def _compute(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        values = {name: _as_array(array) for name, array in inputs.items()}
        _check_inputs(self.inputs, values)
        for step in self._steps:
            step.run(values)
        values.update(self._constants)
        return values


class _Step:
    """Computes a part."""

    def __init__(self, part: Part, dead: Sequence[str]) -> None:
        self._inputs, self._outputs, self._dead = part.inputs, part.outputs, dead

    def run(self, values: dict[str, Any]) -> None:
        """Adds the outputs to `values`, and drops what no later step reads."""
        results = self._call([values[name] for name in self._inputs])
        for name in self._dead:
            del values[name]
        values.update(zip(self._outputs, results))

    def _call(self, arrays: list[Any]) -> Sequence[Any]:
        raise NotImplementedError


class _PartFunction(NamedTuple):
    """A compiled function, which parts that are equal but for their weights share."""

    function: Any
    weights: Sequence[np.ndarray]
    """What it takes after the inputs of the part."""


class _CompiledStep(_Step):
    """A part that meanvar computes, in place of inputs where it can: `overwritten` has an
    index of an input, or None, for each output."""

    def __init__(self, part: Part, dead: Sequence[str], function: _PartFunction,
                 overwritten: Sequence[int | None]) -> None:
        super().__init__(part, dead)
        self._function, self._weights = function.function, function.weights
        self._overwritten = overwritten

    def _call(self, arrays: list[Any]) -> Sequence[Any]:
        out = tuple(None if index is None else arrays[index]
                    for index in self._overwritten)
        if len(out) == 1:
            return (self._function(*arrays, *self._weights, out=out[0]),)
        return self._function(*arrays, *self._weights, out=out)


class _SessionStep(_Step):
    """A part that ONNX Runtime computes. It reads NumPy's arrays in place, and its outputs
    are arrays of its own memory."""

    def __init__(self, part: Part, dead: Sequence[str], session: Any) -> None:
        super().__init__(part, dead)
        self._session = session

    def _call(self, arrays: list[Any]) -> Sequence[Any]:
        return self._session.run(self._outputs, dict(zip(self._inputs, arrays)))


class _ValueSessionStep(_SessionStep):
    """The same where a type is one that ONNX Runtime does not exchange with NumPy, such as
    bfloat16."""

    def _call(self, arrays: list[Any]) -> Sequence[Any]:
        values = {name: _to_ort_value(array) for name, array in zip(self._inputs, arrays)}
        return [_from_ort_value(value)
                for value in self._session.run_with_ort_values(self._outputs, values)]


def accelerate(model: Union[str, os.PathLike[str], onnx.ModelProto], *,
               target: str = "host", threads: int = 1, opt_level: int = 3,
               session_options: Any = None,
               providers: Sequence[Any] = ("CPUExecutionProvider",),
               progress: Union[ProgressCallback, bool, None] = None) -> AcceleratedModel:
    """Makes one function of a whole ONNX model, parts of which meanvar compiles.

    `model` is a file or an `onnx.ModelProto`. Reading it needs the package `onnx`, and
    parts that meanvar does not support need `onnxruntime`, to which `session_options` and
    `providers` go. `progress` is called with what is being done, how many steps of it are
    done, and how many there are. Where it is None, a terminal shows that for models that
    take longer than two seconds; True shows it in any case, and False never. The other
    options are those of `compile`.
    """
    with show_progress(progress, "meanvar.accelerate") as report:
        return _accelerate(model, {"target": target, "threads": threads,
                                   "opt_level": opt_level},
                           session_options, providers, report)


def _accelerate(model: Union[str, os.PathLike[str], onnx.ModelProto],
                options: Mapping[str, Any], session_options: Any,
                providers: Sequence[Any], report: ProgressCallback) -> AcceleratedModel:
    onnx = _require("onnx", "models are read by the package 'onnx'")
    partition = importlib.import_module("meanvar._partition")
    # Wrong options are no reason to leave nodes to ONNX Runtime.
    _meanvar.compile_module(b"", False, "", None, options["target"], options["opt_level"],
                            options["threads"])
    graph = partition.ModelGraph(_read(onnx, model))
    compiled, reasons = _compile_clusters(partition, graph, options, report)
    parts = partition.order_parts(graph, compiled)
    steps: list[_Step] = []
    for part, dead in in_steps(report, "preparing parts",
                               list(zip(parts, _dead_after_each(graph, parts)))):
        if part.runtime == partition.MEANVAR:
            function = compiled.get(part.nodes) or _PartFunction(
                compile_model(_serialize(graph, part), **options), ())
            overwritten = _choose_overwritten(graph, part, dead)
            steps.append(_CompiledStep(part, dead, function, overwritten))
        else:
            steps.append(_make_session_step(graph, part, dead, session_options, providers))
    return AcceleratedModel(graph, Partition(graph, parts, reasons), steps)


def _require(name: str, reason: str) -> types.ModuleType:
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        raise ModuleNotFoundError(f"{reason}, which is not installed", name=name) from None


def _read(onnx: types.ModuleType,
          model: Union[str, os.PathLike[str], onnx.ModelProto]) -> onnx.ModelProto:
    if isinstance(model, (str, os.PathLike)):
        return onnx.load(model)
    if not isinstance(model, onnx.ModelProto):
        raise TypeError(f"model is of type '{type(model).__name__}' (allowed: a path or "
                        "onnx.ModelProto)")
    for tensor in model.graph.initializer:
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            raise ValueError(f"the data of initializer '{tensor.name}' is external, and a "
                             "model in memory does not say where (allowed: the path of "
                             "the model, or a model with its data)")
    return model


def _compile_clusters(partition: types.ModuleType, graph: ModelGraph,
                      options: Mapping[str, Any], report: ProgressCallback
                      ) -> tuple[dict[tuple[int, ...], _PartFunction], dict[int, str]]:
    """Returns the function of each set of nodes that meanvar computes, and why it does not
    compute others."""
    support = partition.NodeSupport(graph, report)
    reasons = dict(support.reasons)
    equal_clusters = collections.defaultdict(list)
    for members in partition.Clusters(graph, support.reductions).members():
        if members[0] in support.reasons:
            continue
        if any(support.reductions[index] for index in members):
            model = graph.extract(members, *graph.boundary(members),
                                  weights_are_inputs=True)
            partition.number_values(model)
            equal_clusters[model.SerializeToString(deterministic=True)].append(members)
        else:
            reasons.update(dict.fromkeys(
                members, "no normalization, mean or other reduction is next to it"))
    compiled = {}
    for model, clusters in in_steps(report, "compiling parts", equal_clusters.items()):
        try:
            compiled.update(_compile_equal_clusters(graph, model, clusters, options))
        except CompilationError as error:
            reasons.update(dict.fromkeys(sum(clusters, []), str(error)))
    return compiled, dict(sorted(reasons.items()))


def _compile_equal_clusters(graph: ModelGraph, model: bytes,
                            clusters: Sequence[Sequence[int]], options: Mapping[str, Any]
                            ) -> dict[tuple[int, ...], _PartFunction]:
    """Compiles `model`, which has weights as inputs, once for several sets of nodes. One
    alone is compiled with its weights and the names of its values."""
    if len(clusters) == 1:
        [members] = clusters
        alone = graph.extract(members, *graph.boundary(members))
        function = compile_model(alone.SerializeToString(), **options)
        return {tuple(members): _PartFunction(function, ())}
    numpy_helper = importlib.import_module("onnx.numpy_helper")
    function = compile_model(model, **options)
    compiled = {}
    for members in clusters:
        inputs, outputs = graph.boundary(members)
        named = graph.extract(members, inputs, outputs, weights_are_inputs=True)
        weights = [numpy_helper.to_array(graph.constants[value.name])
                   for value in named.graph.input[len(inputs):]]
        compiled[tuple(members)] = _PartFunction(function, weights)
    return compiled


def _serialize(graph: ModelGraph, part: Part) -> bytes:
    return graph.extract(part.nodes, part.inputs, part.outputs).SerializeToString()


def _dead_after_each(graph: ModelGraph, parts: Sequence[Part]) -> list[list[str]]:
    """Returns the values that each part is the last to read."""
    needed = set(graph.outputs)
    dead = []
    for part in reversed(parts):
        dead.append([name for name in part.inputs if name not in needed])
        needed.update(part.inputs)
    return dead[::-1]


def _choose_overwritten(graph: ModelGraph, part: Part,
                        dead: Sequence[str]) -> list[int | None]:
    """Returns an input for each output that may take its memory: one that another part
    made, that nothing reads any more, and that has the same type and sizes."""
    free = [name for name in dead if name not in graph.inputs and graph.has_sizes(name)]
    overwritten: list[int | None] = []
    for output in part.outputs:
        chosen = next((name for name in free
                       if output in graph.types
                       and graph.types[name].type == graph.types[output].type), None)
        if chosen is not None:
            free.remove(chosen)
        overwritten.append(None if chosen is None else part.inputs.index(chosen))
    return overwritten


def _make_session_step(graph: ModelGraph, part: Part, dead: Sequence[str],
                       session_options: Any, providers: Sequence[Any]) -> _SessionStep:
    nodes = "1 node of the model is" if len(part.nodes) == 1 else (
        f"{len(part.nodes)} nodes of the model are")
    runtime = _require("onnxruntime", f"{nodes} left to the package 'onnxruntime'")
    if session_options is None:
        session_options = runtime.SessionOptions()
        # Its threads would wait for their next run while other parts need the cores.
        session_options.add_session_config_entry("session.force_spinning_stop", "1")
    session = runtime.InferenceSession(_serialize(graph, part), session_options,
                                       providers=list(providers))
    values = [*session.get_inputs(), *session.get_outputs()]
    for value in session.get_outputs():
        graph.learn_type(value.name, value.type, value.shape)
    has_foreign_type = any(value.type in _FOREIGN_TYPES for value in values)
    return (_ValueSessionStep if has_foreign_type else _SessionStep)(part, dead, session)


def _as_array(array: Any) -> Any:
    """Returns an array of NumPy with the memory of `array`, if that speaks DLPack."""
    if not isinstance(array, np.ndarray) and hasattr(array, "__dlpack__"):
        return np.from_dlpack(array)
    return array


def _check_inputs(inputs: Sequence[ModelValue], arrays: Mapping[str, Any]) -> None:
    sizes: dict[str, int] = {}
    for value in inputs:
        array = arrays[value.name]
        if value.dtype is None:
            continue
        if not isinstance(array, (np.ndarray, np.generic)):
            raise TypeError(f"input '{value.name}' is of type '{type(array).__name__}' "
                            "(allowed: NumPy arrays and arrays with __dlpack__)")
        # NumPy has several types of strings, and ONNX one.
        if array.dtype != value.dtype and value.dtype != object:
            raise TypeError(f"input '{value.name}' has elements of {array.dtype} "
                            f"(allowed: {value.dtype})")
        if value.shape is None:
            continue
        expected = tuple(sizes.setdefault(size, actual) if isinstance(size, str)
                         else actual if size is None else size
                         for size, actual in zip(value.shape, array.shape))
        if len(array.shape) != len(value.shape) or array.shape != expected:
            known = ", ".join(f"{name} = {size}" for name, size in sizes.items()
                              if name in value.shape)
            raise ValueError(f"input '{value.name}' has shape {array.shape} "
                             f"(allowed: {value.shape}"
                             + (f" with {known}" if known else "") + ")")


# Types of ONNX Runtime with elements of whole bytes that NumPy itself does not have.
_FOREIGN_TYPES = {f"tensor({name})" for name in (
    "bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz")}


def _to_ort_value(array: Any) -> Any:
    runtime, helper = map(importlib.import_module, ("onnxruntime", "onnx.helper"))
    array = np.ascontiguousarray(array) if np.ndim(array) else np.asarray(array)
    if array.dtype.isbuiltin == 1:
        return runtime.OrtValue.ortvalue_from_numpy(array)
    return runtime.OrtValue.ortvalue_from_numpy_with_onnx_type(
        array.view(f"u{array.itemsize}"), helper.np_dtype_to_tensor_dtype(array.dtype))


def _from_ort_value(value: Any) -> Any:
    """Returns an array of the memory of `value`."""
    if not value.is_tensor() or value.data_type() not in _FOREIGN_TYPES:
        return value.numpy()
    helper = importlib.import_module("onnx.helper")
    dtype = helper.tensor_dtype_to_np_dtype(value.element_type())
    shape = value.shape()
    count = int(np.prod(shape, dtype=np.int64))
    if count == 0:
        return np.empty(shape, dtype)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(value.data_ptr())
    # The array keeps `memory`, and that the value.
    memory.owner = value
    return np.frombuffer(memory, dtype, count).reshape(shape)


def _describe(graph: ModelGraph, name: str) -> ModelValue:
    helper = importlib.import_module("onnx.helper")
    declared = graph.types.get(name)
    if declared is None or not declared.type.HasField("tensor_type"):
        return ModelValue(name, None, None)
    tensor = declared.type.tensor_type
    dtype = helper.tensor_dtype_to_np_dtype(tensor.elem_type)
    if not tensor.HasField("shape"):
        return ModelValue(name, dtype, None)
    return ModelValue(name, dtype, tuple(
        dim.dim_value if dim.HasField("dim_value") else dim.dim_param or None
        for dim in tensor.shape.dim))


def _constant_outputs(graph: ModelGraph) -> dict[str, Any]:
    """Returns the outputs of the graph that are initializers."""
    numpy_helper = importlib.import_module("onnx.numpy_helper")
    return {name: numpy_helper.to_array(graph.constants[name])
            for name in graph.outputs if name in graph.constants}


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def _list(names: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in names) or "none"
