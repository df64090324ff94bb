# Configuration of the lit test suite. Paths come from lit.site.cfg.py, which
# CMake writes into the build directory.

import os

import lit.formats
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "meanvar"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Fuzz", "Integration", "unit", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.meanvar_obj_root, "test")

llvm_config.use_default_substitutions()
llvm_config.with_system_environment(["HOME", "TMP", "TEMP", "XDG_CACHE_HOME"])

# A variable that a CHECK-LABEL has ended must not leak into the next function.
llvm_config.with_environment("FILECHECK_OPTS", "-enable-var-scope")

config.environment.update(config.meanvar_sanitizer_environment)
if config.meanvar_sanitizer_environment:
    config.available_features.add("sanitizers")

for directory in (config.llvm_tools_dir, config.meanvar_tools_dir):
    llvm_config.with_environment("PATH", directory, append_path=True)

config.substitutions.append(("%llvm_lib_dir", config.llvm_lib_dir))
config.substitutions.append(
    ("%meanvar_plugin", os.path.join(config.meanvar_lib_dir, "MeanVarPlugin.so"))
)
config.substitutions.append(("%meanvar_src_root", config.meanvar_src_root))
config.substitutions.append(("%python", f'"{config.python_executable}"'))

# Every RUN line of meanvar-opt also prints and parses its input again, as text
# and as bytecode, and fails where that changes it. The switch works with
# --split-input-file and with --verify-diagnostics: input that is refused is
# refused before the round trip. `%meanvar-opt-once` is the driver without it.
config.substitutions.append(
    ("%meanvar-opt-once", os.path.join(config.meanvar_tools_dir, "meanvar-opt"))
)
llvm_config.add_tool_substitutions(
    [ToolSubst("meanvar-opt", extra_args=["--verify-roundtrip"], unresolved="ignore")],
    [config.meanvar_tools_dir],
)
