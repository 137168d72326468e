# What is not on the way of every object is small rather than fast: the binary has a limit (scripts/check-release).
set(KEELSON_SMALL $<$<CONFIG:Release>:-Os>)

# Preset dev optimizes the rooms and not their tests: its simulations and its API server then take a third of the time, and
# compiling takes a little more.
set(KEELSON_ROOM_FLAGS "" CACHE STRING "Compiler flags of the rooms, but not of their tests")

# Headers are most of what is compiled, Asio's above all. A release compiles a room's files in groups, each as one, and
# takes a third of the time; dev compiles them one by one, because there a single file changes. So a name in an anonymous
# namespace is used once in a room.
function(keelson_compile_in_groups target)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  endif()
endfunction()

# A room is a folder: src/<room>/*.cpp and its FOLDERS, its public headers in include/keelson/<room>, a library of its own.
set_property(GLOBAL PROPERTY KEELSON_ROOMS "")

function(keelson_room room)
  cmake_parse_arguments(ROOM "SMALL" "" "DEPENDS;FOLDERS;THIRD_PARTY" ${ARGN})
  set(patterns "${CMAKE_SOURCE_DIR}/src/${room}/*.cpp")
  foreach(folder IN LISTS ROOM_FOLDERS)
    list(APPEND patterns "${CMAKE_SOURCE_DIR}/src/${room}/${folder}/*.cpp")
  endforeach()
  file(GLOB sources CONFIGURE_DEPENDS ${patterns})
  # Of a program; its tests have a main of their own.
  list(FILTER sources EXCLUDE REGEX "/main.cpp$")
  if(NOT sources)
    return()
  endif()
  add_library(keelson_${room} STATIC ${sources})
  keelson_compile_in_groups(keelson_${room})
  target_compile_options(keelson_${room} PRIVATE ${KEELSON_ROOM_FLAGS})
  target_link_libraries(keelson_${room} PUBLIC keelson_options keelson_boost)
  foreach(other IN LISTS ROOM_DEPENDS)
    target_link_libraries(keelson_${room} PUBLIC keelson_${other})
  endforeach()
  target_link_libraries(keelson_${room} PRIVATE ${ROOM_THIRD_PARTY})
  if(ROOM_SMALL)
    target_compile_options(keelson_${room} PRIVATE ${KEELSON_SMALL})
  endif()
  if(room STREQUAL "base")
    target_link_libraries(keelson_base PRIVATE keelson_spdlog)
  endif()
  if(NOT room MATCHES "^(testing|cel|sandbox|sandbox_data|sandbox_program|plan)$")
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

# A built-in controller: src/controllers/<kind>/*.cpp, on room controller and those it names.
function(keelson_controller kind)
  cmake_parse_arguments(KIND "" "" "DEPENDS" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/controllers/${kind}/*.cpp")
  if(NOT sources)
    return()
  endif()
  add_library(keelson_controller_${kind} STATIC ${sources})
  keelson_compile_in_groups(keelson_controller_${kind})
  target_compile_options(keelson_controller_${kind} PRIVATE ${KEELSON_SMALL})
  target_link_libraries(keelson_controller_${kind} PUBLIC keelson_controller keelson_cron)
  foreach(room IN LISTS KIND_DEPENDS)
    target_link_libraries(keelson_controller_${kind} PUBLIC keelson_${room})
  endforeach()
endfunction()
