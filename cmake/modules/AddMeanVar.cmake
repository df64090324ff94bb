# CMake functions of meanvar: thin wrappers over AddLLVM and AddMLIR that apply
# the project's link rule (libMLIR.so and libLLVM.so and nothing else of MLIR, or
# the archives only) and share one precompiled header among all libraries.

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

if(MEANVAR_ENABLE_SANITIZERS)
  # libMLIR.so is not instrumented, so containers that cross its boundary carry
  # no annotations, and its vtables and function types are not ours to check.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=vptr,function
                      -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  # Shared libraries find the run-time library in the program, against LLVM's
  # rule that nothing may be undefined in them.
  add_link_options(-fsanitize=address,undefined -Wl,-z,undefs)
  # What the fuzzers of test/Fuzz are guided by.
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# LLVM and MLIR, as all libraries and tools link them.
set(MEANVAR_LLVM_LIBRARIES MLIR LLVM)
if(MEANVAR_STATIC_LLVM)
  # All archives: the linker takes what is used. Those of the C interface and of
  # MLIR's own tests have no place here.
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a)
  list(FILTER archives EXCLUDE REGEX "/libMLIR(CAPI|.*Test)")
  set(MEANVAR_LLVM_LIBRARIES ${archives} z zstd ${CMAKE_DL_LIBS} m
    -Wl,--gc-sections -Wl,--icf=safe)
endif()

# Applies the warning level of the project to a target.
function(meanvar_set_compile_options name)
  target_compile_options(${name} PRIVATE -Wall -Wextra -Wno-unused-parameter)
endfunction()

# One translation unit's worth of MLIR headers is parsed once, here, instead of
# in each file.
function(meanvar_use_precompiled_headers name)
  if(NOT TARGET meanvar-pch)
    # Written once: a newer file would compile everything again.
    file(GENERATE OUTPUT ${PROJECT_BINARY_DIR}/pch.cpp CONTENT "")
    add_library(meanvar-pch OBJECT ${PROJECT_BINARY_DIR}/pch.cpp)
    target_precompile_headers(meanvar-pch PRIVATE
      ${PROJECT_SOURCE_DIR}/cmake/PrecompiledHeaders.h)
    # ccache can reuse a precompiled header only without its time stamp.
    target_compile_options(meanvar-pch PUBLIC
      $<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>)
    meanvar_set_compile_options(meanvar-pch)
  endif()
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>)
  target_precompile_headers(${name} REUSE_FROM meanvar-pch)
endfunction()

# Makes a target part of the installed package, by its name in MeanVar::.
# `export_set` is MeanVarTargets, or MeanVarONNXTargets for what needs ONNX's library.
function(meanvar_install_target name export_set)
  if(MEANVAR_INSTALL)
    install(TARGETS ${name} EXPORT ${export_set} COMPONENT MeanVar)
  endif()
endfunction()

# add_meanvar_library(<name> <sources>... [DEPENDS <targets>...]
#                     [LINK_LIBS <libraries>...] [EXPORT_SET <set>])
# One library of a leaf directory under lib/. Links libMLIR.so and libLLVM.so.
function(add_meanvar_library name)
  cmake_parse_arguments(ARG "" "EXPORT_SET" "DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  add_library(MeanVar::${name} ALIAS ${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_include_directories(${name} SYSTEM PUBLIC
    $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}> $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}>)
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS} ${MEANVAR_LLVM_LIBRARIES})
  add_dependencies(${name} meanvar-headers ${ARG_DEPENDS})
  meanvar_set_compile_options(${name})
  meanvar_use_precompiled_headers(${name})
  if(NOT ARG_EXPORT_SET)
    set(ARG_EXPORT_SET MeanVarTargets)
  endif()
  meanvar_install_target(${name} ${ARG_EXPORT_SET})
endfunction()

# add_meanvar_tool(<name> <sources>... [LINK_LIBS <libraries>...])
# One executable of a directory under tools/, built into <build>/bin. Tools are
# position-independent executables, libraries position-independent code, and a
# precompiled header serves one of the two.
function(add_meanvar_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS} ${MEANVAR_LLVM_LIBRARIES})
  add_dependencies(${name} meanvar-headers)
  meanvar_set_compile_options(${name})
  if(MEANVAR_INSTALL)
    install(TARGETS ${name} COMPONENT MeanVar)
  endif()
endfunction()
