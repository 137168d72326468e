# What is not on the way of every object is small rather than fast: the binary has a limit (scripts/check-release).
set(KEELSON_SMALL $<$<CONFIG:Release>:-Os>)

# A room is a folder: src/<room>/*.cpp, its public headers in include/keelson/<room>, a library of its own.
set_property(GLOBAL PROPERTY KEELSON_ROOMS "")

function(keelson_room room)
  cmake_parse_arguments(ROOM "SMALL" "" "DEPENDS;THIRD_PARTY" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/src/${room}/*.cpp")
  if(NOT sources)
    return()
  endif()
  add_library(keelson_${room} STATIC ${sources})
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
  if(NOT room MATCHES "^(testing|sandbox)$")
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
  target_compile_options(keelson_controller_${kind} PRIVATE ${KEELSON_SMALL})
  target_link_libraries(keelson_controller_${kind} PUBLIC keelson_controller keelson_cron)
  foreach(room IN LISTS KIND_DEPENDS)
    target_link_libraries(keelson_controller_${kind} PUBLIC keelson_${room})
  endforeach()
endfunction()

# A static executable registers its unwind tables when it starts, and the first exception then sorts them all: 20 ms on
# the loop, and every page of them in memory. Without the registration they are found by the sorted index of
# .eh_frame_hdr, as in shared executables. The call is weak, so that a wrapper that nobody defines takes it away; lld
# does not link that, and keeps the call.
include(CheckLinkerFlag)
set(KEELSON_UNWIND_BY_INDEX -Wl,--eh-frame-hdr,--wrap=__register_frame_info,--wrap=__deregister_frame_info)
check_linker_flag(CXX "-static;${KEELSON_UNWIND_BY_INDEX}" KEELSON_CAN_UNWIND_BY_INDEX)

# GNU ld warns that glibc's resolver and dlopen() may load shared objects even in a static program. None is needed here:
# /etc/hosts and DNS are built into glibc 2.34 and later, and OpenSSL's own algorithms into libcrypto.a.
# scripts/check-release holds the binary to it in an empty image. There is no flag for these warnings alone.
check_linker_flag(CXX "-static;-Wl,--no-warnings" KEELSON_CAN_SILENCE_LINKER)

# Fully static in release; the sanitizers need the shared C library.
function(keelson_static_executable target)
  target_link_options(${target} PRIVATE -Wl,--gc-sections)
  if(NOT KEELSON_SANITIZE)
    target_link_options(${target} PRIVATE -static)
    if(KEELSON_CAN_UNWIND_BY_INDEX)
      target_link_options(${target} PRIVATE ${KEELSON_UNWIND_BY_INDEX})
    endif()
    if(KEELSON_CAN_SILENCE_LINKER)
      target_link_options(${target} PRIVATE -Wl,--no-warnings)
    endif()
  endif()
endfunction()
