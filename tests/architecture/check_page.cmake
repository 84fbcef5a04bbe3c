# Fails where docs/architecture.md does not match the tree: a stage that is missing or uses other
# stages than CMakeLists.txt says, or a file that does not exist.
#   cmake -DSOURCE=<repository> -DSTAGES=<stages.txt> -P check_page.cmake
cmake_minimum_required(VERSION 3.22)
set(page ${SOURCE}/docs/architecture.md)
file(READ ${page} text)

file(STRINGS ${STAGES} stages)
foreach(stage ${stages})
  string(REGEX MATCH "^([a-z_]+):(.*)$" _ "${stage}")
  set(name ${CMAKE_MATCH_1})
  string(REPLACE "," ", " uses "${CMAKE_MATCH_2}")
  if(uses STREQUAL "")
    set(uses "nothing")
  endif()
  if(NOT text MATCHES "\n\\| ${name} \\| `src/${name}`[^\n]* \\| ${uses} \\|\n")
    message(SEND_ERROR "${page}: no row of stage ${name} that uses ${uses}")
  endif()
endforeach()

# Whatever looks like a file or folder of the repository must be one.
string(REGEX MATCHALL "`(src|include|cli|python|tests|experiments)(/[A-Za-z_./]*)?`" paths "${text}")
list(REMOVE_DUPLICATES paths)
list(LENGTH paths count)
if(count LESS 40)
  message(SEND_ERROR "${page}: only ${count} paths found; is the page whole?")
endif()
foreach(path ${paths})
  string(REPLACE "`" "" path ${path})
  if(NOT EXISTS ${SOURCE}/${path})
    message(SEND_ERROR "${page}: ${path} does not exist")
  endif()
endforeach()
message(STATUS "${count} paths checked")
