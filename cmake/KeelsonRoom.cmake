# Code is optimized for size, because the binary has a limit (scripts/check-release), except for the code that processes
# every object and every byte: rooms without SMALL, and the files in FAST of the others. A file in FAST is not compiled in a group.
set(KEELSON_SMALL $<$<CONFIG:Release>:-Oz>)
set(KEELSON_FAST $<$<CONFIG:Release>:-O2>)
set(KEELSON_SHORT_ASSERTIONS "$<$<CONFIG:Release>:SHELL:-include ${CMAKE_SOURCE_DIR}/src/base/library_assertion.hpp>")

# Presets dev and asan optimize the rooms but not their tests: simulations and the API server then run in a third of the
# time, and compiling takes slightly longer.
set(KEELSON_ROOM_FLAGS "" CACHE STRING "Compiler flags of the rooms, without their tests")

function(keelson_compile_in_groups target)
  if(KEELSON_IN_GROUPS)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  endif()
endfunction()

# A room is a folder: src/<room>/*.cpp and its FOLDERS, its public headers in include/keelson/<room>, a library of its own.
# With FOLDER the library has that folder of a room alone.
set_property(GLOBAL PROPERTY KEELSON_ROOMS "")

function(keelson_room room)
  cmake_parse_arguments(ROOM "SMALL" "FOLDER" "DEPENDS;FAST;FOLDERS;THIRD_PARTY" ${ARGN})
  if(NOT ROOM_FOLDER)
    set(ROOM_FOLDER ${room})
  endif()
  set(patterns "${CMAKE_SOURCE_DIR}/src/${ROOM_FOLDER}/*.cpp")
  foreach(folder IN LISTS ROOM_FOLDERS)
    list(APPEND patterns "${CMAKE_SOURCE_DIR}/src/${room}/${folder}/*.cpp")
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  # The main function of a program is left out, because the tests have a main function of their own.
  list(FILTER sources EXCLUDE REGEX "/main.cpp$")
  if(NOT sources)
    return()
  endif()
  add_library(keelson_${room} STATIC ${sources})
  keelson_compile_in_groups(keelson_${room})
  target_compile_options(keelson_${room} PRIVATE ${KEELSON_ROOM_FLAGS} "${KEELSON_SHORT_ASSERTIONS}")
  # Instrumented code reports its branches to libFuzzer; tests ignore the reports.
  if(KEELSON_FUZZ)
    target_compile_options(keelson_${room} PRIVATE -fsanitize=fuzzer-no-link)
  endif()
  target_link_libraries(keelson_${room} PUBLIC keelson_options keelson_boost)
  foreach(other IN LISTS ROOM_DEPENDS)
    target_link_libraries(keelson_${room} PUBLIC keelson_${other})
  endforeach()
  target_link_libraries(keelson_${room} PRIVATE ${ROOM_THIRD_PARTY})
  if(ROOM_SMALL)
    target_compile_options(keelson_${room} PRIVATE ${KEELSON_SMALL})
  endif()
  foreach(file IN LISTS ROOM_FAST)
    set_source_files_properties("${CMAKE_SOURCE_DIR}/src/${room}/${file}" PROPERTIES COMPILE_OPTIONS "${KEELSON_FAST}"
      SKIP_UNITY_BUILD_INCLUSION ON)
  endforeach()
  if(room STREQUAL "base")
    target_link_libraries(keelson_base PRIVATE keelson_spdlog)
  endif()
  if(NOT room MATCHES "^(cel|sandbox|sandbox_loop|sandbox_data|sandbox_program|plan|reference|scaffold)$")
    set_property(GLOBAL APPEND PROPERTY KEELSON_ROOMS ${room})
  endif()
endfunction()

# One archive with the objects of all rooms so far.
function(keelson_collect_rooms target)
  get_property(rooms GLOBAL PROPERTY KEELSON_ROOMS)
  foreach(room IN LISTS rooms)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:keelson_${room}>)
  endforeach()
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX)
endfunction()

# The built-in controllers: each folder src/kinds/<kind> is a library, and src/kinds/built_in.cpp lists them.
function(keelson_kinds)
  add_library(keelson_kinds STATIC "${CMAKE_SOURCE_DIR}/src/kinds/built_in.cpp")
  target_compile_options(keelson_kinds PRIVATE ${KEELSON_SMALL})
  file(GLOB folders RELATIVE "${CMAKE_SOURCE_DIR}/src/kinds" CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/kinds/*/")
  list(FILTER folders EXCLUDE REGEX "[.]")
  foreach(kind IN LISTS folders)
    file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/kinds/${kind}/*.cpp")
    if(NOT sources)
      continue()
    endif()
    add_library(keelson_kind_${kind} STATIC ${sources})
    keelson_compile_in_groups(keelson_kind_${kind})
    target_compile_options(keelson_kind_${kind} PRIVATE ${KEELSON_SMALL} "${KEELSON_SHORT_ASSERTIONS}")
    target_link_libraries(keelson_kind_${kind} PUBLIC keelson_controller keelson_cron)
    target_link_libraries(keelson_kinds PUBLIC keelson_kind_${kind})
  endforeach()
endfunction()

# A program of tools/ that writes source files when the project is built. Sets the variable NAME to its command.
function(keelson_build_tool name)
  if(CMAKE_CROSSCOMPILING)
    # It runs on the build machine, so it is compiled with the same compiler but without the target.
    set(tool "${CMAKE_BINARY_DIR}/tools/${name}")
    # A custom command does not find the included headers itself.
    file(GLOB headers CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tools/${name}/*.hpp")
    list(APPEND headers "${CMAKE_SOURCE_DIR}/src/program/packed_text.hpp" "${CMAKE_SOURCE_DIR}/src/cron/zone_table.hpp"
      "${CMAKE_SOURCE_DIR}/include/keelson/detail/cron/year_rule.hpp")
    add_custom_command(OUTPUT "${tool}"
      COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_BINARY_DIR}/tools"
      COMMAND "${CMAKE_CXX_COMPILER}" -std=c++20 "-I${CMAKE_SOURCE_DIR}" "-I${CMAKE_SOURCE_DIR}/include" ${ARGN} -o "${tool}"
      DEPENDS ${ARGN} ${headers} COMMENT "Compiling ${name} for this machine" VERBATIM)
    set(${name} "${tool}" PARENT_SCOPE)
  else()
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE keelson_options)
    set(${name} ${name} PARENT_SCOPE)
  endif()
endfunction()
