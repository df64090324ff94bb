# Fails unless LIBRARY exports exactly the functions that HEADER declares.
execute_process(
  COMMAND ${NM} --dynamic --defined-only --format=posix ${LIBRARY}
  OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" symbols "${symbols}")
list(TRANSFORM symbols REPLACE " .*" "")
list(SORT symbols)

file(READ ${HEADER} text)
# Comments mention functions, too.
string(REGEX REPLACE "/\\*([^*]|\\*+[^*/])*\\*+/" "" text "${text}")
string(REGEX MATCHALL "meanvar[A-Za-z]+\\(" declared "${text}")
list(TRANSFORM declared REPLACE "\\($" "")
list(SORT declared)

if(NOT declared)
  message(FATAL_ERROR "no function found in ${HEADER}")
endif()
if(NOT symbols STREQUAL declared)
  message(FATAL_ERROR "exported: ${symbols}\ndeclared: ${declared}")
endif()
