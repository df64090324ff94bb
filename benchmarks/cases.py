"""The cases that are measured: the operation, its shapes, axes and element type."""

import dataclasses
import math

ELEMENT_BYTES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8}
NCHW_AXES = (0, 2, 3)  # the default of ONNX


@dataclasses.dataclass(frozen=True)
class Case:
    """One function, and the shapes that it is called with."""

    label: str  # what the shape stands for
    operation: str  # "mvn" or "mean"
    shapes: tuple  # of the inputs
    axes: tuple = ()  # of mvn
    element_type: str = "f32"
    dynamic: bool = False  # compiled for any sizes
    overhead: bool = False  # so small that it shows the cost of a call

    @property
    def name(self):
        """For example "rows [4096,768] axes [1] bf16"."""
        distinct = dict.fromkeys(format_list(shape) for shape in self.shapes)
        if len(distinct) > 1:
            shapes = "+".join(format_list(shape) for shape in self.shapes)
        elif self.operation == "mean":
            shapes = f"{len(self.shapes)} × {format_list(self.shapes[0])}"
        else:
            shapes = format_list(self.shapes[0])
        axes = f" axes {format_list(self.axes)}" if self.operation == "mvn" else ""
        sizes = " sizes ?" if self.dynamic else ""
        return f"{self.label} {shapes}{axes} {self.element_type}{sizes}"

    @property
    def group(self):
        """What cases are summed up by."""
        if self.operation == "mean":
            return f"mean {self.element_type}"
        sizes = ", run-time sizes" if self.dynamic else ""
        return f"mvn {self.element_type}{sizes}"

    @property
    def output_shape(self):
        """The broadcast of the input shapes."""
        rank = max(len(shape) for shape in self.shapes)
        padded = [(1,) * (rank - len(shape)) + shape for shape in self.shapes]
        return tuple(max(sizes) for sizes in zip(*padded))

    @property
    def useful_bytes(self):
        """Bytes of all inputs and of the output: what has to move at least."""
        elements = sum(map(math.prod, (*self.shapes, self.output_shape)))
        return elements * ELEMENT_BYTES[self.element_type]

    def replace(self, **changes):
        return dataclasses.replace(self, **changes)

    def to_json(self):
        return dataclasses.asdict(self)

    @staticmethod
    def from_json(fields):
        shapes = tuple(tuple(shape) for shape in fields["shapes"])
        return Case(**{**fields, "shapes": shapes, "axes": tuple(fields["axes"])})


def format_list(sizes):
    return "[" + ",".join(map(str, sizes)) + "]"


def mvn(label, shape, axes, **options):
    return Case(label, "mvn", (shape,), axes, **options)


def mean(label, *shapes, **options):
    return Case(label, "mean", shapes, **options)


# Measured in every element type, and compiled for run-time sizes as well.
MAIN = [
    mvn("rows", (4096, 768), (1,)),
    mvn("rows", (1024, 1024), (1,)),
    mvn("rows", (128, 65536), (1,)),
    mvn("rows", (8, 4194304), (1,)),
    mvn("one lane", (16777216,), (0,)),
    mvn("NCHW", (8, 64, 56, 56), (2, 3)),
    mvn("NCHW", (8, 64, 56, 56), NCHW_AXES),
    mvn("images NCHW", (32, 3, 224, 224), NCHW_AXES),
    mvn("images NHWC", (32, 224, 224, 3), (1, 2)),
    mvn("NHWC", (8, 56, 56, 64), (1, 2)),
    mvn("columns", (4096, 512), (0,)),
    mvn("columns", (65536, 64), (0,)),
    mvn("middle", (64, 1024, 64), (1,)),
    mvn("speech", (1, 3000, 80), (1,)),
    mvn("tiny rows", (1048576, 4), (1,)),
]

FURTHER = [
    mvn("images NHWC", (32, 224, 224, 3), (0, 1, 2)),
    mvn("columns", (256, 8192), (0,)),
    mvn("tiny rows", (262144, 16), (1,)),
    mvn("tiny rows", (65536, 7), (1,)),
    mvn("rank 6", (16, 8, 16, 8, 16, 8), (0, 2, 4)),
    mvn("rank 7", (4, 8, 4, 8, 4, 8, 16), (1, 3, 5)),
    mvn("documented", (3, 3, 3, 1, 2), NCHW_AXES, overhead=True),
]

MILLION = 1048576
MEANS = [
    mean("mean of", *[(4 * MILLION,)] * count, element_type=element_type)
    for element_type in ("f32", "bf16")
    for count in (2, 3, 8, 32)
] + [
    mean("mean of", (1024, 1024), (1024,)),
    mean("mean of", (1024, 1024), (1024, 1)),
    mean("mean of", (64, 1, 1), (1, 64, 1), (1, 1, 1024)),
    mean("mean of", *[(3,)] * 2, overhead=True),
]

CASES = (
    MAIN
    + FURTHER
    + MEANS
    + [
        case.replace(element_type=element_type)
        for element_type in ("f16", "bf16", "f64")
        for case in MAIN
    ]
    + [case.replace(dynamic=True) for case in MAIN]
)

# A few minutes of everything that differs: --quick.
QUICK_NAMES = {
    case.name
    for case in (
        MAIN[1], MAIN[5], MAIN[10], MAIN[13], FURTHER[-1],
        MAIN[1].replace(element_type="bf16"), MAIN[1].replace(dynamic=True),
        MEANS[0], MEANS[-1],
    )
}


def select(pattern=None, quick=False):
    """The cases whose names contain `pattern`, all for None."""
    return [
        case
        for case in CASES
        if (not quick or case.name in QUICK_NAMES)
        and (pattern is None or pattern in case.name)
    ]
