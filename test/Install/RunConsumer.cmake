# Configures and builds the project consumer/ and checks what its programs print:
#   cmake -DMODE=prefix|subdirectory -DBUILD=<meanvar's build> -DSOURCE=<meanvar>
#         -DWORK=<directory to work in> [-DOPTIONS=<of the configuration>]
#         -P RunConsumer.cmake
cmake_policy(SET CMP0011 NEW)
set(consumer ${CMAKE_CURRENT_LIST_DIR}/consumer)
file(REMOVE_RECURSE ${WORK})

function(run variable)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE error
    RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    string(JOIN " " command ${ARGN})
    message(FATAL_ERROR "${command}\n${output}${error}")
  endif()
  set(${variable} "${output}" PARENT_SCOPE)
endfunction()

function(expect text pattern)
  if(NOT text MATCHES "${pattern}")
    message(FATAL_ERROR "expected '${pattern}' in\n${text}")
  endif()
endfunction()

if(MODE STREQUAL "prefix")
  # A prefix that is moved after the installation must do as well.
  run(ignored ${CMAKE_COMMAND} --install ${BUILD} --component MeanVar --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${WORK}/prefix)
  set(where -DCMAKE_PREFIX_PATH=${WORK}/prefix)
else()
  set(where -DMEANVAR_SOURCE_DIR=${SOURCE})
endif()
run(ignored ${CMAKE_COMMAND} -G Ninja -S ${consumer} -B ${WORK}/build
  -DCMAKE_BUILD_TYPE=Release ${where} ${OPTIONS})
# The C program once is enough: as a subdirectory it takes all of the compiler.
if(MODE STREQUAL "prefix")
  run(ignored ${CMAKE_COMMAND} --build ${WORK}/build)
else()
  run(ignored ${CMAKE_COMMAND} --build ${WORK}/build --target consumer-opt)
endif()

run(tiled ${WORK}/build/consumer-opt ${consumer}/matrix.mlir
  "--pass-pipeline=builtin.module(func.func(normalize-results))")
expect("${tiled}" "scf.for .* = %c0 to %c10 step %c4")
expect("${tiled}" "meanvar.mvn .* axes = \\[1\\] epsilon = .* inside_sqrt : tensor<\\?x16xf32>")
run(lowered ${WORK}/build/consumer-opt ${consumer}/matrix.mlir
  "--pass-pipeline=builtin.module(func.func(normalize-results),meanvar-to-llvm)")
expect("${lowered}" "llvm.func @matrix\\(")
expect("${lowered}" "vector<16xf32>")
if(MODE STREQUAL "prefix")
  run(printed ${WORK}/build/consumer-c)
  expect("${printed}" "^-1 -1 1 1 0 0 0 0 \n$")
  run(version ${WORK}/prefix/bin/meanvar-runner --version)
  expect("${version}" "meanvar version")
endif()
