# librepsc_cuda.so, the kernels for CUDA devices, compiled by nvcc; docs/gpu.md. The library repsc loads it
# at run time and needs no CUDA itself.
option(REPSC_CUDA "Build librepsc_cuda.so where nvcc is installed" OFF)
set(REPSC_CUDA_ARCHITECTURES "80;90" CACHE STRING "Compute capabilities of the devices, without the dot")
set(REPSC_NVCC_OPTIONS -std=c++20 -O3 --expt-relaxed-constexpr -I${PROJECT_SOURCE_DIR}/src
    -I${PROJECT_SOURCE_DIR}/include)

# The library itself, and its host twin: the same kernels on the host, which tests load in its place.
function(repsc_cuda_library)
  set(device ${PROJECT_SOURCE_DIR}/src/cuda/device)
  if(PROJECT_IS_TOP_LEVEL AND NOT REPSC_PYTHON)
    add_library(repsc_cuda_twin MODULE EXCLUDE_FROM_ALL ${device}/twin.cpp)
    target_include_directories(repsc_cuda_twin PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_link_libraries(repsc_cuda_twin PRIVATE repsc_settings)
    set_target_properties(repsc_cuda_twin PROPERTIES CXX_VISIBILITY_PRESET hidden)
  endif()
  if(NOT REPSC_CUDA)
    return()
  endif()
  find_program(REPSC_NVCC nvcc HINTS /usr/local/cuda/bin REQUIRED)
  set(options ${REPSC_NVCC_OPTIONS} -shared --cudart static -Xcompiler -fPIC,-fvisibility=hidden,-Wall)
  foreach(architecture ${REPSC_CUDA_ARCHITECTURES})
    list(APPEND options -gencode arch=compute_${architecture},code=sm_${architecture})
  endforeach()
  # Newer devices compile the code of the last architecture when they first load it.
  list(GET REPSC_CUDA_ARCHITECTURES -1 newest)
  list(APPEND options -gencode arch=compute_${newest},code=compute_${newest})
  set(library ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/librepsc_cuda.so)
  set(headers ${CMAKE_CURRENT_BINARY_DIR}/librepsc_cuda.d)
  add_custom_command(OUTPUT ${library}
                     COMMAND ${REPSC_NVCC} ${options} -MD -MT ${library} -MF ${headers} ${device}/cuda.cu -o ${library}
                     DEPENDS ${device}/cuda.cu DEPFILE ${headers}
                     COMMENT "Compiling librepsc_cuda.so" VERBATIM)
  add_custom_target(repsc_cuda_device ALL DEPENDS ${library})
  install(FILES ${library} DESTINATION ${CMAKE_INSTALL_LIBDIR})
endfunction()
