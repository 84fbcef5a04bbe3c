# Fails if a comment or a text of the library names a flag of the command line, such as "--solver":
# errors carry the names of options as data, and each front end spells them in its own way.
#   cmake -DSOURCE=<repository> -P check_flags.cmake
cmake_minimum_required(VERSION 3.22)
file(GLOB_RECURSE files ${SOURCE}/src/*.cpp ${SOURCE}/src/*.hpp ${SOURCE}/include/*.hpp)
foreach(file ${files})
  file(STRINGS ${file} lines REGEX "(//|\").*--[a-z]")
  foreach(line ${lines})
    message(SEND_ERROR "${file}: a flag is named here: ${line}")
  endforeach()
endforeach()
list(LENGTH files count)
message(STATUS "${count} files checked")
