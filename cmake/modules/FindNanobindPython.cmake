# FindNanobindPython: a Python that has nanobind, and NumPy with what else the package
# and its tests need (scripts/setup.sh makes it). Sets NanobindPython_FOUND, and finds
# the packages Python and nanobind.

set(NanobindPython_FOUND FALSE)
# A wheel is built by the Python that asks for it, which says so.
if(NOT DEFINED Python_EXECUTABLE
   AND EXISTS ${PROJECT_SOURCE_DIR}/build/python-venv/bin/python)
  set(Python_EXECUTABLE ${PROJECT_SOURCE_DIR}/build/python-venv/bin/python)
endif()
find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module
  ${SKBUILD_SABI_COMPONENT})
if(Python_FOUND)
  execute_process(
    COMMAND ${Python_EXECUTABLE} -m nanobind --cmake_dir
    OUTPUT_VARIABLE nanobind_ROOT OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
  find_package(nanobind CONFIG QUIET)
  if(nanobind_FOUND)
    set(NanobindPython_FOUND TRUE)
  endif()
endif()
