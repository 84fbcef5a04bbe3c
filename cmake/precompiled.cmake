# Precompiled headers: Eigen, the standard library and the like are parsed once instead of once per
# file, about 2 of the 2.5 seconds that a small file of the library takes.
#
# Only headers of other projects are precompiled. Ours stay outside, for three reasons: CMake marks a
# precompiled header as a system header, which would silence warnings; every change of ours would
# rebuild everything; and a file that forgets one of our own includes still fails. For a forgotten
# include of the standard library, `./dev lint` compiles without precompiled headers
# (preset `lint`), and so does -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON in any build.

option(REPSC_UNITY "Compile files of a stage and of the tool together, which is faster" ON)

set(REPSC_STANDARD_HEADERS <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits>
    <map> <memory> <numeric> <optional> <span> <sstream> <string> <string_view> <tuple>
    <unordered_map> <utility> <variant> <vector>)

# repsc_precompile(target HEADERS ...): the first target of this kind, which compiles the header.
function(repsc_precompile target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" HEADERS)
  target_precompile_headers(${target} PRIVATE <Eigen/Core> <fmt/format.h> ${REPSC_STANDARD_HEADERS}
                            ${arg_HEADERS})
  repsc_mark_precompiled(${target})
  # What a precompiled header holds, for ccache: the header itself is different in every folder.
  file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/cmake_pch.hxx.gch.sum
       "${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION} Eigen ${Eigen3_VERSION} fmt ${fmt_VERSION} "
       "GTest ${GTest_VERSION} CLI11 ${CLI11_VERSION} ${REPSC_STANDARD_HEADERS} ${arg_HEADERS}\n")
endfunction()

# repsc_reuse_precompiled(target FROM first): another one, compiled with the same options.
function(repsc_reuse_precompiled target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FROM" "")
  target_precompile_headers(${target} REUSE_FROM ${arg_FROM})
  repsc_mark_precompiled(${target})
endfunction()

# ccache needs to see which precompiled header was read (its manual, "Precompiled headers").
function(repsc_mark_precompiled target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_DISABLE_PRECOMPILE_HEADERS)
    # With a precompiled header gcc 12 no longer knows that inlined code comes from the standard
    # library, and reports its known false alarms there (GCC bugs 105329 and 105651).
    target_compile_options(${target} PRIVATE -fpch-preprocess -Wno-array-bounds -Wno-restrict
                           -Wno-stringop-overflow -Wno-stringop-overread)
  endif()
endfunction()
