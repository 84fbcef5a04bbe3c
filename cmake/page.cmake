# The report page: report/ bundled by esbuild, with Debian's D3, and embedded as a string. Without
# them the library is built without the page, and says so when a page is asked for.
function(repsc_embed_page)
  find_program(REPSC_ESBUILD esbuild)
  find_path(REPSC_D3 d3-selection/package.json PATHS /usr/share/nodejs NO_DEFAULT_PATH)
  set(out ${PROJECT_BINARY_DIR}/page)
  file(MAKE_DIRECTORY ${out})
  if(REPSC_ESBUILD AND REPSC_D3 AND NOT WIN32)
    file(GLOB_RECURSE parts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/report/src/*.ts)
    list(APPEND parts ${PROJECT_SOURCE_DIR}/report/page.css ${PROJECT_SOURCE_DIR}/report/page.html
         ${PROJECT_SOURCE_DIR}/report/build)
    add_custom_command(
      OUTPUT ${out}/page.html
      COMMAND ${PROJECT_SOURCE_DIR}/report/build ${out}/page.html
      DEPENDS ${parts}
      COMMENT "Bundling the report page" VERBATIM)
  else()
    message(STATUS "esbuild or node-d3 is missing: repsc is built without the report page")
    file(WRITE ${out}/page.html "")
  endif()
  add_custom_command(
    OUTPUT ${out}/page_template.cpp
    COMMAND ${CMAKE_COMMAND} -DPAGE=${out}/page.html -DOUT=${out}/page_template.cpp -P
            ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    DEPENDS ${out}/page.html ${PROJECT_SOURCE_DIR}/cmake/embed_page.cmake
    COMMENT "Embedding the report page" VERBATIM)
  target_sources(repsc_page PRIVATE ${out}/page_template.cpp)
  # Ninja lets a command wait for what all of its targets depend on. With the stage alone, that would be
  # every stage that the page uses, and the demo would wait for them.
  add_custom_target(repsc_page_text DEPENDS ${out}/page_template.cpp)
endfunction()
