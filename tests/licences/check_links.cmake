# Fails if a program of a build with REPSC_GPL=OFF loads a library under the GPL, directly or not.
#   cmake "-DPROGRAMS=<program>;..." -P check_links.cmake
# Those that are not built are passed over, but one has to be there.
cmake_minimum_required(VERSION 3.22)
set(built "")
foreach(program ${PROGRAMS})
  if(EXISTS ${program})
    list(APPEND built ${program})
  endif()
endforeach()
if(NOT built)
  message(FATAL_ERROR "none of these is built: ${PROGRAMS}")
endif()
file(GET_RUNTIME_DEPENDENCIES EXECUTABLES ${built} RESOLVED_DEPENDENCIES_VAR libraries
     UNRESOLVED_DEPENDENCIES_VAR missing)
# libcholmod holds modules under the GPL beside those under the LGPL; libspqr is under the GPL.
foreach(library ${libraries} ${missing})
  if(library MATCHES "lib(cholmod|spqr|umfpack|klu_cholmod|gsl|fftw|readline)")
    message(SEND_ERROR "${library} is under the GPL, or holds parts that are")
  endif()
endforeach()
list(LENGTH libraries count)
message(STATUS "${count} libraries checked: ${libraries}")
