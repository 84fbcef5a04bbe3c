# Compiler settings and the libraries of the system, once, for every stage.
option(REPSC_NATIVE "Tune for the machine that builds (the result may not run elsewhere)" OFF)
option(REPSC_SANITIZE "Address and undefined-behaviour sanitizers" OFF)
option(REPSC_THREAD_SANITIZER "Thread sanitizer" OFF)
option(REPSC_FUZZ "Build the fuzz harnesses of the readers (needs clang)" OFF)
option(REPSC_GPL "Sparse factors by SuiteSparse, whose fast parts are GPL; OFF: slower, without GPL" ON)
option(REPSC_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # the static library also goes into a Python module

find_program(REPSC_CCACHE ccache)
if(REPSC_CCACHE AND PROJECT_IS_TOP_LEVEL)
  # With precompiled headers ccache has to be told what not to compare (its manual, "Precompiled
  # headers"), and which file stands for the header: precompiled.cmake writes it. Paths below the base
  # are taken as relative, and the folder of a build is not compared, which it would be wherever there is
  # debug information, so that builds and clones share what is equal.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_PCH_EXTSUM=1
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1 ${REPSC_CCACHE})
endif()

include(GNUInstallDirs)
find_package(Eigen3 3.4 REQUIRED NO_MODULE)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(fmt REQUIRED)
find_package(FastFloat REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libzip REQUIRED IMPORTED_TARGET libzip)
pkg_check_modules(openblas REQUIRED IMPORTED_TARGET openblas)
find_library(REPSC_LAPACKE lapacke REQUIRED)
# Sparse factors: docs/licences.md has what follows for someone who ships a binary.
if(REPSC_GPL)
  find_library(REPSC_CHOLMOD cholmod REQUIRED)
  find_library(REPSC_SPQR spqr REQUIRED)
  find_library(REPSC_SUITESPARSE_CONFIG suitesparseconfig REQUIRED)
  find_path(REPSC_SUITESPARSE cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
  set(REPSC_SPARSE_LIBRARIES ${REPSC_SPQR} ${REPSC_CHOLMOD} ${REPSC_SUITESPARSE_CONFIG})
endif()
find_path(REPSC_NANOFLANN nanoflann.hpp REQUIRED)

# Everything here stays inside the library: a user's code sees C++20, the headers and Eigen.
add_library(repsc_settings INTERFACE)
target_compile_features(repsc_settings INTERFACE cxx_std_20)
target_include_directories(repsc_settings INTERFACE ${PROJECT_SOURCE_DIR}/include)
target_link_libraries(repsc_settings INTERFACE Eigen3::Eigen Threads::Threads fmt::fmt)
# Eigen must not spread its own products over threads: a split that depends on the number of
# threads changes the last bit, and we promise the same bytes for any number of threads.
target_compile_definitions(repsc_settings INTERFACE EIGEN_DONT_PARALLELIZE)
target_compile_options(repsc_settings INTERFACE -Wall -Wextra -Wshadow)
if(REPSC_WERROR)
  target_compile_options(repsc_settings INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # gcc 12 reports uninitialised values inside Eigen's packet code at -O3 (GCC bug 107561 and kin).
  target_compile_options(repsc_settings INTERFACE -Wno-maybe-uninitialized)
endif()
if(REPSC_NATIVE)
  target_compile_options(repsc_settings INTERFACE -march=native)
endif()
# Programs with the address sanitizer lie at a fixed address: where the kernel spreads addresses over 32 bits of pages
# (vm.mmap_rnd_bits), it puts every fourth program that it may move where the sanitizer of gcc 12 and of clang 14 keeps
# its heap, and such a program dies before main.
set(REPSC_SANITIZE_LINK -fsanitize=address,undefined $<$<STREQUAL:$<TARGET_PROPERTY:TYPE>,EXECUTABLE>:-no-pie>)
if(REPSC_SANITIZE)
  target_compile_options(repsc_settings INTERFACE -fsanitize=address,undefined
                         -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(repsc_settings INTERFACE ${REPSC_SANITIZE_LINK})
endif()
if(REPSC_THREAD_SANITIZER)
  target_compile_options(repsc_settings INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(repsc_settings INTERFACE -fsanitize=thread)
endif()
if(REPSC_FUZZ)
  target_compile_options(repsc_settings INTERFACE -fsanitize=fuzzer-no-link)
endif()
