# Writes docs/generated from the TableGen files under include/:
#   cmake -DMLIR_TBLGEN=<tool> -DMLIR_INCLUDE_DIRS=<dirs> -DSCRATCH_DIR=<dir>
#         -P GenerateDocs.cmake [check]
# With `check` nothing is written, and a difference is an error.

cmake_minimum_required(VERSION 3.25)

set(include_dir ${CMAKE_CURRENT_LIST_DIR}/../include)
set(generated_dir ${CMAKE_CURRENT_LIST_DIR}/generated)
list(TRANSFORM MLIR_INCLUDE_DIRS PREPEND -I)

# Runs mlir-tblgen on include/meanvar/<td> and leaves the result in SCRATCH_DIR.
function(generate file td)
  execute_process(
    COMMAND ${MLIR_TBLGEN} ${ARGN} -I${include_dir} ${MLIR_INCLUDE_DIRS}
            ${include_dir}/meanvar/${td} -o ${SCRATCH_DIR}/${file}
    COMMAND_ERROR_IS_FATAL ANY)
endfunction()

file(REMOVE_RECURSE ${SCRATCH_DIR})
file(MAKE_DIRECTORY ${SCRATCH_DIR})
generate(MeanVarDialect.md Dialect/MeanVar/IR/MeanVarOps.td
         -gen-dialect-doc -dialect=meanvar)
file(GLOB_RECURSE pass_files RELATIVE ${include_dir}/meanvar
     ${include_dir}/meanvar/*/Passes.td)
foreach(td ${pass_files})
  # Dialect/MeanVar/Transforms/Passes.td is documented in MeanVarTransformsPasses.md.
  string(REGEX REPLACE "^Dialect/" "" name ${td})
  string(REGEX REPLACE "/|\\.td$" "" name ${name})
  generate(${name}.md ${td} -gen-pass-doc)
endforeach()

file(GLOB fresh RELATIVE ${SCRATCH_DIR} ${SCRATCH_DIR}/*.md)
file(GLOB committed RELATIVE ${generated_dir} ${generated_dir}/*.md)
set(differences "")
foreach(file ${fresh} ${committed})
  execute_process(
    COMMAND ${CMAKE_COMMAND} -E compare_files
            ${SCRATCH_DIR}/${file} ${generated_dir}/${file}
    RESULT_VARIABLE differs OUTPUT_QUIET ERROR_QUIET)
  if(differs)
    list(APPEND differences ${file})
  endif()
endforeach()
list(REMOVE_DUPLICATES differences)

math(EXPR last "${CMAKE_ARGC} - 1")
if(NOT differences)
  message(STATUS "docs/generated is current")
elseif("${CMAKE_ARGV${last}}" STREQUAL "check")
  list(JOIN differences ", " differences)
  message(FATAL_ERROR "docs/generated is out of date: ${differences} "
          "(the target meanvar-docs writes it anew)")
else()
  file(REMOVE_RECURSE ${generated_dir})
  file(COPY ${SCRATCH_DIR}/ DESTINATION ${generated_dir})
  message(STATUS "docs/generated written: ${fresh}")
endif()
