# repsc_stage(name USES ...): src/<name>/*.cpp, compiled into the one library.
# The allowed uses are also written to stages.txt, which tests/architecture reads.
function(repsc_stage name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" USES)
  list(JOIN arg_USES "," uses)
  set_property(GLOBAL APPEND PROPERTY REPSC_STAGES "${name}:${uses}")
  list(TRANSFORM arg_USES PREPEND repsc_)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(repsc_${name} OBJECT ${sources})
  target_include_directories(repsc_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(repsc_${name} PUBLIC repsc_settings ${arg_USES})
  target_sources(repsc PRIVATE $<TARGET_OBJECTS:repsc_${name}>)
  # Several files at once: two thirds of the time, since they share templates. File by file with
  # -DREPSC_UNITY=OFF, which is better while one file is being changed.
  set_target_properties(repsc_${name} PROPERTIES UNITY_BUILD ${REPSC_UNITY} UNITY_BUILD_BATCH_SIZE 5)
  # Every stage is compiled with the same options, so that one precompiled header serves all.
  if(name STREQUAL "core")
    repsc_precompile(repsc_core)
  else()
    repsc_reuse_precompiled(repsc_${name} FROM repsc_core)
  endif()
endfunction()

# repsc_mpi_stage(name USES ...): the same with MPI, as the library repsc_mpi, which the library repsc
# does not contain. Only the architecture is noted where MPI was not found (cmake/mpi.cmake).
function(repsc_mpi_stage name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" USES)
  list(JOIN arg_USES "," uses)
  set_property(GLOBAL APPEND PROPERTY REPSC_STAGES "${name}:${uses}")
  if(NOT REPSC_MPI_FOUND)
    return()
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${name}/*.cpp)
  add_library(repsc_${name} OBJECT ${sources})
  target_include_directories(repsc_${name} PRIVATE ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM arg_USES PREPEND repsc_)
  target_link_libraries(repsc_${name} PUBLIC repsc_settings ${arg_USES} PRIVATE MPI::MPI_CXX)
  if(REPSC_SLEPC_FOUND)
    repsc_backend(${name} slepc)
    target_link_libraries(repsc_${name} PRIVATE PkgConfig::slepc PkgConfig::petsc)
  else()
    repsc_backend(${name} without_slepc)
  endif()
  add_library(repsc_mpi STATIC $<TARGET_OBJECTS:repsc_${name}>)
  target_link_libraries(repsc_mpi PUBLIC repsc PRIVATE MPI::MPI_CXX)
  if(REPSC_SLEPC_FOUND)
    target_link_libraries(repsc_mpi PRIVATE PkgConfig::slepc PkgConfig::petsc)
  endif()
endfunction()

# repsc_backend(stage name): src/<stage>/<name>/*.cpp joins the stage.
function(repsc_backend stage name)
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${stage}/${name}/*.cpp)
  target_sources(repsc_${stage} PRIVATE ${sources})
endfunction()

# Links, installs and exports the library, once all stages are named.
function(repsc_finish_library)
  target_link_libraries(repsc_core PRIVATE FastFloat::fast_float)
  target_link_libraries(repsc_linalg PRIVATE PkgConfig::openblas)
  target_link_libraries(repsc_io PRIVATE PkgConfig::libzip ZLIB::ZLIB FastFloat::fast_float)
  target_include_directories(repsc_representation SYSTEM PRIVATE ${REPSC_NANOFLANN})
  if(REPSC_GPL)
    target_include_directories(repsc_linalg SYSTEM PRIVATE ${REPSC_SUITESPARSE})
  endif()
  target_link_libraries(repsc_report PRIVATE nlohmann_json::nlohmann_json)
  target_link_libraries(repsc_page PRIVATE nlohmann_json::nlohmann_json)

  target_compile_features(repsc PUBLIC cxx_std_20)
  target_include_directories(repsc PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
                             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  set(libraries Threads::Threads ${CMAKE_DL_LIBS} fmt::fmt ZLIB::ZLIB ${libzip_LINK_LIBRARIES} ${REPSC_SPARSE_LIBRARIES}
      ${REPSC_LAPACKE} ${openblas_LINK_LIBRARIES})
  target_link_libraries(repsc PUBLIC Eigen3::Eigen PRIVATE ${libraries})
  # For programs that link the objects of some stages only: the tests and the demo.
  add_library(repsc_libraries INTERFACE)
  target_link_libraries(repsc_libraries INTERFACE ${libraries})
  if(REPSC_SANITIZE)
    target_link_options(repsc PUBLIC ${REPSC_SANITIZE_LINK})
  endif()
  set_target_properties(repsc PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION 0)

  include(CMakePackageConfigHelpers)
  install(TARGETS repsc EXPORT repscTargets)
  # Not the header of repsc_mpi, which is a part of the tool repsc-mpi.
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/repsc DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
          PATTERN distributed.hpp EXCLUDE)
  install(EXPORT repscTargets NAMESPACE repsc:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/repsc)
  configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/repscConfig.cmake.in
    ${PROJECT_BINARY_DIR}/repscConfig.cmake
    INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/repsc)
  write_basic_package_version_file(${PROJECT_BINARY_DIR}/repscConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
  install(FILES ${PROJECT_BINARY_DIR}/repscConfig.cmake ${PROJECT_BINARY_DIR}/repscConfigVersion.cmake
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/repsc)

  get_property(stages GLOBAL PROPERTY REPSC_STAGES)
  list(JOIN stages "\n" text)
  file(WRITE ${PROJECT_BINARY_DIR}/stages.txt "${text}\n")
endfunction()
