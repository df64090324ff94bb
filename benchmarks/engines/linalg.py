"""Cases as linalg on tensors, the way that frontends lower them: for IREE."""

from data import EPSILON

ACCUMULATION = {"f16": "f32", "bf16": "f32", "f32": "f32", "f64": "f64"}


class Writer:
    """Writes one function, a line at a time."""

    def __init__(self, case):
        self.case = case
        self.wide = ACCUMULATION[case.element_type]
        self.rank = len(case.output_shape)
        self.lines = []

    def type(self, shape, element_type=None):
        sizes = ["?" if self.case.dynamic else str(size) for size in shape]
        return f"tensor<{'x'.join([*sizes, element_type or self.case.element_type])}>"

    def write(self, line):
        self.lines.append("  " + line)

    def empty(self, name, dims, element_type):
        """A tensor of the dimensions `dims` of the output."""
        shape = [self.case.output_shape[dim] for dim in dims]
        sizes = ""
        if self.case.dynamic:
            sizes = ", ".join(f"%size{dim}" for dim in dims)
        self.write(f"{name} = tensor.empty({sizes}) : {self.type(shape, element_type)}")
        return self.type(shape, element_type)

    def map(self, dims):
        names = [f"d{dim}" for dim in range(self.rank)]
        results = ", ".join(dim if isinstance(dim, str) else names[dim] for dim in dims)
        return f"affine_map<({', '.join(names)}) -> ({results})>"

    def generic(self, result, inputs, init, maps, reduced, body):
        """`inputs` are pairs of name and type. `body` are lines that use the elements
        %a0, %a1, ... and %out, and its last value is the result's element."""
        iterators = ", ".join(
            '"reduction"' if dim in reduced else '"parallel"'
            for dim in range(self.rank))
        names, types = zip(*inputs)
        arguments = [f"%a{i}: {element(type)}" for i, type in enumerate(types)]
        arguments.append(f"%out: {element(init[1])}")
        self.write(
            f"{result} = linalg.generic {{indexing_maps = [{', '.join(maps)}], "
            f"iterator_types = [{iterators}]}} "
            f"ins({', '.join(names)} : {', '.join(types)}) "
            f"outs({init[0]} : {init[1]}) {{")
        self.write(f"^bb0({', '.join(arguments)}):")
        for line in body:
            self.write("  " + line)
        value = body[-1].split()[0]
        self.write(f"  linalg.yield {value} : {element(init[1])}")
        self.write(f"}} -> {init[1]}")

    def cast(self, body, operation, source, from_type, to_type):
        """Adds a conversion to `body` where types differ, and returns its name."""
        if from_type == to_type:
            return source
        target = f"%cast{len(body)}"
        body.append(f"{target} = {operation} {source} : {from_type} to {to_type}")
        return target

    def widen(self, body, source):
        return self.cast(body, "arith.extf", source, self.case.element_type, self.wide)

    def narrow(self, body, source):
        return self.cast(
            body, "arith.truncf", source, self.wide, self.case.element_type)


def element(tensor_type):
    return tensor_type.removeprefix("tensor<").removesuffix(">").split("x")[-1]


def write_mvn(writer):
    """Mean, mean of squared differences, and the quotient."""
    case, wide, rank = writer.case, writer.wide, writer.rank
    all_dims = list(range(rank))
    kept = [dim for dim in all_dims if dim not in case.axes]
    x = ("%x0", writer.type(case.shapes[0]))
    write_count(writer)

    init_type = writer.empty("%empty_kept", kept, wide)
    writer.write(f"%init = linalg.fill ins(%zero : {wide}) "
                 f"outs(%empty_kept : {init_type}) -> {init_type}")
    init = ("%init", init_type)
    full, lanes = writer.map(all_dims), writer.map(kept)
    body = []
    wide_x = writer.widen(body, "%a0")
    body.append(f"%sum = arith.addf {wide_x}, %out : {wide}")
    writer.generic("%sums", [x], init, [full, lanes], case.axes, body)

    body = []
    wide_x = writer.widen(body, "%a0")
    body += [
        f"%mean = arith.divf %a1, %count : {wide}",
        f"%difference = arith.subf {wide_x}, %mean : {wide}",
        f"%square = arith.mulf %difference, %difference : {wide}",
        f"%sum = arith.addf %square, %out : {wide}"]
    sums, squares = ("%sums", init_type), ("%squares", init_type)
    writer.generic("%squares", [x, sums], init, [full, lanes, lanes], case.axes, body)

    body = []
    wide_x = writer.widen(body, "%a0")
    body += [
        f"%mean = arith.divf %a1, %count : {wide}",
        f"%variance = arith.divf %a2, %count : {wide}",
        f"%deviation = math.sqrt %variance : {wide}",
        f"%divisor = arith.addf %deviation, %epsilon : {wide}",
        f"%difference = arith.subf {wide_x}, %mean : {wide}",
        f"%quotient = arith.divf %difference, %divisor : {wide}"]
    writer.narrow(body, "%quotient")
    result = ("%empty", writer.empty("%empty", all_dims, case.element_type))
    writer.generic("%result", [x, sums, squares], result,
                   [full, lanes, lanes, full], (), body)


def write_count(writer):
    """The number of elements of a lane, and epsilon."""
    case, wide = writer.case, writer.wide
    writer.write(f"%epsilon = arith.constant {EPSILON:.1e} : {wide}")
    if not case.dynamic:
        count = 1
        for axis in case.axes:
            count *= case.output_shape[axis]
        writer.write(f"%count = arith.constant {count}.0 : {wide}")
        return
    product = f"%size{case.axes[0]}"
    for axis in case.axes[1:]:
        writer.write(f"%product{axis} = arith.muli {product}, %size{axis} : index")
        product = f"%product{axis}"
    writer.write(f"%integer = arith.index_cast {product} : index to i64")
    writer.write(f"%count = arith.sitofp %integer : i64 to {wide}")


def write_mean(writer):
    """One loop over all inputs."""
    case, wide, rank = writer.case, writer.wide, writer.rank
    inputs, maps, values, body = [], [], [], []
    for index, shape in enumerate(case.shapes):
        offset = rank - len(shape)
        stretched = [
            "0" if size == 1 and case.output_shape[offset + dim] != 1 else offset + dim
            for dim, size in enumerate(shape)]
        inputs.append((f"%x{index}", writer.type(shape)))
        maps.append(writer.map(stretched))
        values.append(writer.widen(body, f"%a{index}"))
    total = values[0]
    for index, value in enumerate(values[1:], start=1):
        body.append(f"%sum{index} = arith.addf {total}, {value} : {wide}")
        total = f"%sum{index}"
    body.append(f"%mean = arith.mulf {total}, %factor : {wide}")
    writer.narrow(body, "%mean")
    writer.write(f"%factor = arith.constant {1 / len(inputs):.17e} : {wide}")
    all_dims = list(range(rank))
    result_type = writer.empty("%empty", all_dims, case.element_type)
    writer.generic("%result", inputs, ("%empty", result_type),
                   [*maps, writer.map(all_dims)], (), body)


def module_text(case, output_attributes):
    """A function `main` of the inputs and of the buffer for its result."""
    writer = Writer(case)
    writer.write(f"%zero = arith.constant 0.0 : {writer.wide}")
    if case.dynamic:
        for dim in range(writer.rank):
            writer.write(f"%c{dim} = arith.constant {dim} : index")
            writer.write(f"%size{dim} = tensor.dim %x0, %c{dim} : "
                         f"{writer.type(case.shapes[0])}")
    (write_mvn if case.operation == "mvn" else write_mean)(writer)
    result_type = writer.type(case.output_shape)
    arguments = [f"%x{i}: {writer.type(s)}" for i, s in enumerate(case.shapes)]
    arguments.append(f"%y: {result_type} {output_attributes}")
    body = "\n".join(writer.lines)
    return (f"func.func @main({', '.join(arguments)}) -> {result_type} {{\n{body}\n"
            f"  return %result : {result_type}\n}}\n")
