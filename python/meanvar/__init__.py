"""Mean and MeanVarianceNormalization, compiled by meanvar for this CPU.

`mvn` and `mean` work on arrays; `compile` and `load` make functions of MLIR modules and
ONNX models.
"""

from meanvar import _meanvar
from meanvar._errors import CompilationError, Diagnostic
from meanvar._functions import compile, load
from meanvar._meanvar import Function, Value, mean, mvn

__version__ = _meanvar.version

__all__ = ["CompilationError", "Diagnostic", "Function", "Value", "compile", "load",
           "mean", "mvn"]
