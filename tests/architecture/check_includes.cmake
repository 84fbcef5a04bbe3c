# Fails on an #include that the architecture does not allow: a stage may include its own folder, the
# public headers and folders of what it uses (directly or not), and nothing of what lies to its right.
#   cmake -DSOURCE=<repository> -DSTAGES=<stages.txt> -P check_includes.cmake
cmake_minimum_required(VERSION 3.22)
file(STRINGS ${STAGES} lines)
foreach(line ${lines})
  string(REGEX MATCH "^([a-z_]+):(.*)$" _ "${line}")
  set(name ${CMAKE_MATCH_1})
  string(REPLACE "," ";" uses "${CMAKE_MATCH_2}")
  set(allowed_${name} ${name})
  foreach(used ${uses})
    list(APPEND allowed_${name} ${allowed_${used}})
  endforeach()
  list(APPEND names ${name})
endforeach()

# check(FILE STAGE...): every project header that FILE includes belongs to one of the stages.
function(check file)
  file(STRINGS ${file} includes REGEX "^#include \"")
  foreach(include ${includes})
    string(REGEX REPLACE "^#include \"(repsc/)?([a-z_]+)[./].*$" "\\2" stage "${include}")
    if(NOT stage IN_LIST ARGN)
      message(SEND_ERROR "${file}: ${include} is not allowed; allowed: ${ARGN}")
    endif()
  endforeach()
endfunction()

foreach(name ${names})
  file(GLOB_RECURSE files ${SOURCE}/src/${name}/*.cpp ${SOURCE}/src/${name}/*.hpp)
  if(EXISTS ${SOURCE}/include/repsc/${name}.hpp)
    list(APPEND files ${SOURCE}/include/repsc/${name}.hpp)
  endif()
  if(NOT files)
    message(SEND_ERROR "stage ${name} has no files")
  endif()
  foreach(file ${files})
    check(${file} ${allowed_${name}})
  endforeach()
endforeach()

# The experiments and the Python module see public headers and their own folder only; so does the
# command line, which also calls the experiments.
file(GLOB_RECURSE files ${SOURCE}/cli/*.cpp ${SOURCE}/cli/*.hpp ${SOURCE}/experiments/*.cpp
     ${SOURCE}/experiments/*.hpp ${SOURCE}/python/src/*.cpp ${SOURCE}/python/src/*.hpp)
foreach(file ${files})
  file(STRINGS ${file} includes REGEX "^#include \"")
  foreach(include ${includes})
    if(NOT include MATCHES "\"((repsc|experiments)/[a-z_]+|[a-z_]+)\\.hpp\"")
      message(SEND_ERROR "${file}: ${include} is not a public header")
    endif()
  endforeach()
endforeach()
list(LENGTH names count)
message(STATUS "${count} stages checked")
