# Installs the built library into an empty folder, builds a consumer against it, runs that.
#   cmake -DBUILD=<build folder> -DSOURCE=<repository> -DWORK=<scratch> -DGENERATOR=... -P run.cmake
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/tests/consumer -B ${WORK}/build -G ${GENERATOR}
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_CXX_FLAGS=${FLAGS} -DQUICKSTART=${SOURCE}/examples/quickstart.cpp)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/quickstart)
if(NOT output MATCHES "accuracy 1,? ?.*average balance 1")
  message(FATAL_ERROR "the quick start printed: ${output}")
endif()
message(STATUS "${output}")
