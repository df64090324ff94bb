"""Mean and MeanVarianceNormalization, compiled by meanvar for this CPU.

`mvn` and `mean` work on arrays; `compile` and `load` make functions of MLIR modules and
ONNX models; `accelerate` makes one of a model that meanvar supports in part.
"""

from meanvar import _meanvar
from meanvar._acceleration import AcceleratedModel, accelerate
from meanvar._errors import CompilationError, Diagnostic
from meanvar._functions import compile, load
from meanvar._meanvar import Function, Value, mean, mvn

__version__ = _meanvar.version

__all__ = ["AcceleratedModel", "CompilationError", "Diagnostic", "Function", "Value",
           "accelerate", "compile", "load", "mean", "mvn"]
