"""Which nodes of an ONNX model meanvar computes, and which ONNX Runtime.

Whether meanvar supports a node is what its compiler says of a model of that node alone;
there is no list of operators here.
"""

from __future__ import annotations

import collections
import dataclasses
import graphlib
import math
import re
from collections.abc import Iterable, Iterator, Sequence

import onnx
import onnx.shape_inference

from meanvar import _meanvar
from meanvar._errors import CompilationError
from meanvar._progress import ProgressCallback, in_steps

# Floats that are more are weights: they decide no axes, no shape and no exponent.
_MAX_SMALL_ELEMENTS = 16

# Constants of more bytes are weights, too: shapes have at most 256 sizes.
_MAX_SMALL_BYTES = 4096

# The first version of the file format in which constants need not be inputs.
_CONSTANTS_APART_IR_VERSION = 4

# What has sizes as its results, whatever the data.
_SIZE_OPERATORS = {"Shape", "Size"}
_STANDARD_DOMAINS = {"", "ai.onnx"}

_INTEGERS = {onnx.TensorProto.INT32, onnx.TensorProto.INT64}

_FLOATS = {onnx.TensorProto.FLOAT16, onnx.TensorProto.BFLOAT16, onnx.TensorProto.FLOAT,
           onnx.TensorProto.DOUBLE}

# ONNX Runtime spells its own names of C++ types.
_ELEMENT_TYPES = {name.lower(): value for name, value in onnx.TensorProto.DataType.items()}

MEANVAR = "meanvar"
ONNX_RUNTIME = "ONNX Runtime"


@dataclasses.dataclass(frozen=True)
class Part:
    """Nodes that one runtime computes in one call."""

    runtime: str
    """"meanvar" or "ONNX Runtime"."""
    nodes: tuple[int, ...]
    """The numbers of the nodes in the graph, in its order."""
    inputs: tuple[str, ...]
    """Names of values that the user or other parts give."""
    outputs: tuple[str, ...]
    """Names of values that other parts or the user get."""


class ModelGraph:
    """The graph of a model: who defines and who uses values, and their types."""

    def __init__(self, model: onnx.ModelProto) -> None:
        self.model = model
        self.nodes: Sequence[onnx.NodeProto] = model.graph.node
        self.constants = {t.name: t for t in model.graph.initializer}
        self.sparse_constants = {t.values.name: t for t in model.graph.sparse_initializer}
        self.inputs = [value.name for value in model.graph.input
                       if value.name not in self.constants
                       and value.name not in self.sparse_constants]
        self.outputs = [value.name for value in model.graph.output]
        self.reads = [list(dict.fromkeys(_names_read(node))) for node in self.nodes]
        self.definers: dict[str, int] = {}
        self._index_definitions()
        self.indices = self._find_live_nodes()
        self.types = self._infer_types()
        # Nodes that meanvar supports and that depend on constants and sizes only: parts
        # have copies of them.
        self.copied_nodes: set[int] = set()

    def _index_definitions(self) -> None:
        known = {*self.inputs, *self.constants, *self.sparse_constants}
        for index, node in enumerate(self.nodes):
            for name in self.reads[index]:
                if name not in known:
                    raise ValueError(f"node {index} ({node.op_type}) reads '{name}', which "
                                     "nothing before it defines")
            for name in filter(None, node.output):
                if name in known:
                    raise ValueError(f"node {index} ({node.op_type}) defines '{name}' "
                                     "again")
                known.add(name)
                self.definers[name] = index
        for name in self.outputs:
            if name not in known:
                raise ValueError(f"output '{name}' of the graph is not defined")

    def _find_live_nodes(self) -> list[int]:
        """Returns the nodes that an output depends on."""
        live = set()
        needed = set(self.outputs)
        for index in range(len(self.nodes) - 1, -1, -1):
            if not needed.isdisjoint(self.nodes[index].output):
                live.add(index)
                needed.update(self.reads[index])
        return sorted(live)

    def _infer_types(self) -> dict[str, onnx.ValueInfoProto]:
        """Returns the types that the model declares or that follow."""
        skeleton = self._make_model(self.nodes, self.inputs, [], _declarations(self.model))
        small = {}
        for name, tensor in self.constants.items():
            if not _is_weight(tensor):
                small[name] = tensor
            else:
                skeleton.graph.input.append(_type_of_constant(tensor))
        skeleton.graph.initializer.extend(small.values())
        skeleton.graph.sparse_initializer.extend(self.sparse_constants.values())
        _spell_out_defaults(skeleton)
        skeleton.graph.output.extend(self.model.graph.output)
        skeleton.graph.value_info.extend(self.model.graph.value_info)
        inferred = onnx.shape_inference.infer_shapes(skeleton, data_prop=True)
        return {name: _type_of_constant(tensor)
                for name, tensor in self.constants.items()} | _declarations(inferred)

    def learn_type(self, name: str, type_name: str,
                   shape: Sequence[int | str | None]) -> None:
        """Takes what ONNX Runtime says of a value that has no type so far."""
        match = re.fullmatch(r"tensor\((\w+)\)", type_name)
        if match and not self.types.get(name, onnx.ValueInfoProto()).HasField("type"):
            self.types[name] = onnx.helper.make_tensor_value_info(
                name, _ELEMENT_TYPES[match[1]], shape)

    def has_sizes(self, name: str) -> bool:
        """Whether every size of a tensor is known or has a name."""
        if name not in self.types:
            return False
        tensor = self.types[name].type.tensor_type
        return tensor.HasField("shape") and all(
            dim.HasField("dim_value") or dim.dim_param for dim in tensor.shape.dim)

    def is_copied(self, name: str) -> bool:
        """Whether parts that read a value have a copy of what it is."""
        return (name in self.constants or name in self.sparse_constants
                or self.definers.get(name) in self.copied_nodes)

    def has_only_sizes(self, index: int) -> bool:
        """Whether the results of a node are integers that follow from the sizes of
        tensors, and no output of the graph."""
        node = self.nodes[index]
        if not self.reads_of_parts([index]):
            return False
        asks_for_sizes = node.op_type in _SIZE_OPERATORS and node.domain in _STANDARD_DOMAINS
        return ((asks_for_sizes or all(map(self.is_copied, self.reads[index])))
                and all(name in self.types and name not in self.outputs
                        and self.types[name].type.tensor_type.elem_type in _INTEGERS
                        for name in filter(None, node.output)))

    def reads_of_parts(self, indices: Iterable[int]) -> list[str]:
        """Returns the values that nodes, and what is copied for them, read of others."""
        return list(dict.fromkeys(
            name for index in self.with_copied(indices) for name in self.reads[index]
            if not self.is_copied(name)))

    def with_copied(self, indices: Iterable[int]) -> list[int]:
        """Returns `indices` and the nodes that are copied for them, in order."""
        needed, pending = set(), list(indices)
        while pending:
            index = pending.pop()
            if index in needed:
                continue
            needed.add(index)
            pending.extend(self.definers[name] for name in self.reads[index]
                           if self.definers.get(name) in self.copied_nodes)
        return sorted(needed)

    def boundary(self, indices: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Returns the names of what nodes get from others, and of what others get."""
        inside = set(indices)
        inputs = tuple(name for name in self.reads_of_parts(indices)
                       if self.definers.get(name) not in inside)
        needed = set(self.outputs)
        needed.update(self.reads_of_parts(set(self.indices) - inside - self.copied_nodes))
        outputs = tuple(name for index in indices for name in self.nodes[index].output
                        if name in needed)
        return inputs, outputs

    def extract(self, indices: Iterable[int], inputs: Sequence[str],
                outputs: Sequence[str], *,
                weights_are_inputs: bool = False) -> onnx.ModelProto:
        """Returns a model of some nodes, with what is copied for them. Weights may be
        further inputs instead."""
        indices = self.with_copied(indices)
        result = self._make_model([self.nodes[index] for index in indices], inputs,
                                  outputs, self.types)
        for name in dict.fromkeys(name for index in indices for name in self.reads[index]):
            if name in self.sparse_constants:
                result.graph.sparse_initializer.append(self.sparse_constants[name])
            if name not in self.constants:
                continue
            tensor = self.constants[name]
            if weights_are_inputs and _is_weight(tensor):
                result.graph.input.append(_type_of_constant(tensor))
            else:
                result.graph.initializer.append(tensor)
        return result

    def _make_model(self, nodes: Iterable[onnx.NodeProto], inputs: Iterable[str],
                    outputs: Iterable[str],
                    types: dict[str, onnx.ValueInfoProto]) -> onnx.ModelProto:
        model = onnx.ModelProto(ir_version=max(self.model.ir_version,
                                               _CONSTANTS_APART_IR_VERSION))
        model.opset_import.extend(self.model.opset_import or
                                  [onnx.OperatorSetIdProto(version=1)])
        model.functions.extend(self.model.functions)
        model.graph.name = self.model.graph.name or "model"
        model.graph.node.extend(nodes)
        for names, values in ((inputs, model.graph.input), (outputs, model.graph.output)):
            values.extend(types.get(name, onnx.ValueInfoProto(name=name))
                          for name in names)
        return model


def _names_read(node: onnx.NodeProto) -> Iterator[str]:
    """The values that a node reads, those that its subgraphs capture too."""
    yield from filter(None, node.input)
    for attribute in node.attribute:
        for graph in [attribute.g, *attribute.graphs]:
            local = {value.name for value in graph.input}
            local.update(tensor.name for tensor in graph.initializer)
            local.update(tensor.values.name for tensor in graph.sparse_initializer)
            local.update(name for inner in graph.node for name in inner.output)
            yield from (name for inner in graph.node for name in _names_read(inner)
                        if name not in local)
            yield from (value.name for value in graph.output if value.name not in local)


def _is_weight(tensor: onnx.TensorProto) -> bool:
    is_float = tensor.data_type in _FLOATS
    return tensor.ByteSize() > _MAX_SMALL_BYTES or (
        is_float and math.prod(tensor.dims) > _MAX_SMALL_ELEMENTS)


def _spell_out_defaults(model: onnx.ModelProto) -> None:
    """Adds the default values of attributes to nodes whose operators ONNX defines by
    others: its inference reads the definition without them, and infers no type for
    MeanVarianceNormalization without axes."""
    opsets = {opset.domain: opset.version for opset in model.opset_import}
    for node in model.graph.node:
        try:
            schema = onnx.defs.get_schema(node.op_type, opsets.get(node.domain, 1),
                                          node.domain)
        except onnx.defs.SchemaError:
            continue
        if not schema.has_function:
            continue
        given = {attribute.name for attribute in node.attribute}
        node.attribute.extend(
            attribute.default_value for name, attribute in schema.attributes.items()
            if name not in given and attribute.default_value.name)


def _type_of_constant(tensor: onnx.TensorProto) -> onnx.ValueInfoProto:
    return onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, tensor.dims)


def _declarations(model: onnx.ModelProto) -> dict[str, onnx.ValueInfoProto]:
    graph = model.graph
    return {value.name: value
            for value in [*graph.value_info, *graph.output, *graph.input]}


class NodeSupport:
    """What meanvar's compiler says of the nodes of a graph."""

    def __init__(self, graph: ModelGraph, report: ProgressCallback) -> None:
        self.reductions: dict[int, int] = {}
        """Of supported nodes: how many reductions they are."""
        self.reasons: dict[int, str] = {}
        """Of others: why."""
        self._unknown_operators: set[tuple[str, str, str]] = set()
        # Models often repeat a block. The answers, by the models that were asked about.
        self._answers: dict[bytes, int | str] = {}
        for index in in_steps(report, "checking nodes", graph.indices):
            answer = self._ask(graph, index)
            if isinstance(answer, str):
                self.reasons[index] = answer
                continue
            self.reductions[index] = answer
            if (all(graph.is_copied(name) for name in graph.reads[index])
                    and not graph.reads_of_parts([index])) or graph.has_only_sizes(index):
                graph.copied_nodes.add(index)

    def _ask(self, graph: ModelGraph, index: int) -> int | str:
        """Returns the number of reductions, or why the node is not supported."""
        node = graph.nodes[index]
        operator = (node.domain, node.op_type, node.overload)
        if operator in self._unknown_operators:
            return _UNKNOWN_OPERATOR
        model = graph.extract([index], graph.reads_of_parts([index]),
                              [name for name in node.output if name],
                              weights_are_inputs=True)
        names = number_values(model)
        key = model.SerializeToString(deterministic=True)
        if key not in self._answers:
            self._answers[key] = _check(key)
        answer = self._answers[key]
        if answer == _UNKNOWN_OPERATOR:
            self._unknown_operators.add(operator)
        if isinstance(answer, str):
            answer = re.sub(r"'(v\d+)'",
                            lambda match: f"'{names.get(match[1], match[1])}'", answer)
        return answer


_UNKNOWN_OPERATOR = "the operator is not supported"


def _check(model: bytes) -> int | str:
    try:
        return _meanvar.check_model(model, None)
    except CompilationError as error:
        # The number is that in this model.
        message = re.sub(r"^node \d+ \([^)]*\): ", "", str(error))
        # That one goes on with a list of all operators.
        return _UNKNOWN_OPERATOR if message.startswith(_UNKNOWN_OPERATOR) else message


def number_values(model: onnx.ModelProto) -> dict[str, str]:
    """Renames the values and the symbols of a model whose nodes have no subgraphs, and
    returns the names of values by the new ones. Nodes lose their names."""
    graph = model.graph
    if any(attribute.HasField("g") or attribute.graphs
           for node in graph.node for attribute in node.attribute):
        return {}
    numbers: dict[str, str] = {}
    symbols: dict[str, str] = {}

    def number(name: str) -> str:
        return name and numbers.setdefault(name, f"v{len(numbers)}")

    for node in graph.node:
        node.name = node.doc_string = ""
        node.input[:] = map(number, node.input)
        node.output[:] = map(number, node.output)
    for value in [*graph.input, *graph.output, *graph.initializer]:
        value.name = number(value.name)
        value.doc_string = ""
    for value in [*graph.input, *graph.output]:
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param:
                dim.dim_param = symbols.setdefault(dim.dim_param, f"d{len(symbols)}")
    for tensor in graph.sparse_initializer:
        tensor.values.name = number(tensor.values.name)
    return {number: name for name, number in numbers.items()}


class Clusters:
    """Supported nodes joined to the largest sets that can be computed in one go: no path
    leaves such a set and comes back."""

    def __init__(self, graph: ModelGraph, supported: Iterable[int]) -> None:
        self._cluster = {index: index for index in graph.indices
                         if index not in graph.copied_nodes}
        self._members = {index: [index] for index in self._cluster}
        self._successors: dict[int, set[int]] = {index: set() for index in self._cluster}
        self._predecessors: dict[int, set[int]] = {index: set() for index in self._cluster}
        for index in self._cluster:
            for name in graph.reads_of_parts([index]):
                if graph.definers.get(name) in self._cluster:
                    self._successors[graph.definers[name]].add(index)
                    self._predecessors[index].add(graph.definers[name])
        self._join(set(supported) & set(self._cluster))

    def members(self) -> list[list[int]]:
        return [sorted(members) for members in self._members.values()]

    def _join(self, supported: set[int]) -> None:
        """Contracts edges until none is left that may be."""
        changed = True
        while changed:
            changed = False
            for source in sorted(supported):
                for target in sorted(self._successors.get(source, ())):
                    if target in supported and not self._has_detour(source, target):
                        self._contract(source, target)
                        supported.discard(target)
                        changed = True

    def _has_detour(self, source: int, target: int) -> bool:
        """Whether a path other than the edge leads from `source` to `target`."""
        pending = list(self._successors[source] - {target})
        seen = set(pending)
        while pending:
            cluster = pending.pop()
            if cluster == target:
                return True
            following = self._successors[cluster] - seen
            seen |= following
            pending.extend(following)
        return False

    def _contract(self, source: int, target: int) -> None:
        self._members[source] += self._members.pop(target)
        for following in self._successors.pop(target):
            self._predecessors[following].discard(target)
            if following != source:
                self._successors[source].add(following)
                self._predecessors[following].add(source)
        for previous in self._predecessors.pop(target):
            self._successors[previous].discard(target)
            if previous != source:
                self._successors[previous].add(source)
                self._predecessors[source].add(previous)


def order_parts(graph: ModelGraph, chosen: Iterable[Sequence[int]]) -> list[Part]:
    """Returns the parts in an order to run them: one of meanvar for each of `chosen`, and
    as few of ONNX Runtime for all other nodes as these leave possible."""
    meanvar_parts = {min(members): sorted(members) for members in chosen}
    before = _dependencies(graph, meanvar_parts)
    order = list(graphlib.TopologicalSorter(before).static_order())
    # Even where ONNX Runtime computes, odd where meanvar does.
    stages: dict[int, int] = {}
    for head in order:
        parity = int(head in meanvar_parts)
        stages[head] = max((stages[previous] + (stages[previous] % 2 != parity)
                            for previous in before[head]), default=parity)
    _delay_input_free_nodes(graph, before, order, stages)

    ordered: list[tuple[int, str, list[int]]] = []
    rest = collections.defaultdict(list)
    for head in order:
        if head in meanvar_parts:
            ordered.append((stages[head], MEANVAR, meanvar_parts[head]))
        else:
            rest[stages[head]].append(head)
    ordered += [(stage, ONNX_RUNTIME, sorted(nodes)) for stage, nodes in rest.items()]
    ordered.sort(key=lambda part: part[0])
    constant_outputs = {graph.definers[name] for name in graph.outputs
                        if graph.definers.get(name) in graph.copied_nodes}
    if constant_outputs:
        ordered.insert(0, (0, MEANVAR, sorted(constant_outputs)))
    return [Part(runtime, tuple(nodes), *graph.boundary(nodes))
            for _, runtime, nodes in ordered]


def _dependencies(graph: ModelGraph,
                  meanvar_parts: dict[int, list[int]]) -> dict[int, set[int]]:
    """Returns what has to be computed before each part of meanvar, which has the number of
    its first node, and before each other node."""
    heads = {index: head for head, members in meanvar_parts.items() for index in members}
    before: dict[int, set[int]] = {}
    for index in graph.indices:
        if index in graph.copied_nodes:
            continue
        head = heads.get(index, index)
        definers = {graph.definers[name] for name in graph.reads_of_parts([index])
                    if name in graph.definers}
        before.setdefault(head, set()).update(
            {heads.get(definer, definer) for definer in definers} - {head})
    return before


def _delay_input_free_nodes(graph: ModelGraph, before: dict[int, set[int]],
                            order: Sequence[int], stages: dict[int, int]) -> None:
    """Moves what depends on no input, such as a Constant of strings, to the stage that
    uses it: alone it would be a part, for every call to run."""
    inputs = set(graph.inputs)
    free: set[int] = set()
    for head in order:
        if (stages[head] == 0 and before[head] <= free
                and inputs.isdisjoint(graph.reads[head])):
            free.add(head)
    first_use: dict[int, int] = {}
    for head in reversed(order):
        if head in free and head in first_use:
            stages[head] = first_use[head] - first_use[head] % 2
        for previous in before[head]:
            first_use[previous] = min(first_use.get(previous, stages[head]), stages[head])
