# What `manager version` prints, handed to the one source file that prints it. KEELSON_COMMIT in the environment says of
# which commit sources are that came without their history, as in the Dockerfile.
set(KEELSON_COMMIT "$ENV{KEELSON_COMMIT}")
if(NOT KEELSON_COMMIT)
  execute_process(COMMAND git -C "${CMAKE_SOURCE_DIR}" rev-parse --short=7 HEAD
    OUTPUT_VARIABLE KEELSON_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT KEELSON_COMMIT)
  set(KEELSON_COMMIT unknown)
endif()
# A new commit is a new version text: configure again when HEAD moves.
foreach(head HEAD logs/HEAD)
  if(EXISTS "${CMAKE_SOURCE_DIR}/.git/${head}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/.git/${head}")
  endif()
endforeach()

function(keelson_header_version result header pattern)
  file(STRINGS "${header}" lines REGEX "define +${pattern}")
  set(parts "")
  foreach(line IN LISTS lines)
    if(line MATCHES "([0-9]+)[ \t]*$")
      list(APPEND parts "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(JOIN parts "." joined)
  set(${result} "${joined}" PARENT_SCOPE)
endfunction()

keelson_header_version(rapidjson_version "${KEELSON_RAPIDJSON_INCLUDE}/rapidjson/rapidjson.h"
  "RAPIDJSON_(MAJOR|MINOR|PATCH)_VERSION")
keelson_header_version(spdlog_version "${KEELSON_SPDLOG_INCLUDE}/spdlog/version.h" "SPDLOG_VER_(MAJOR|MINOR|PATCH)")
find_package(yaml-cpp QUIET)
get_filename_component(prometheus_name "${prometheus_root}" NAME)
string(REPLACE "prometheus-cpp-" "" prometheus_version "${prometheus_name}")
set(KEELSON_LIBRARIES "Boost ${Boost_VERSION_STRING}|OpenSSL ${OPENSSL_VERSION}|RapidJSON ${rapidjson_version}")
string(APPEND KEELSON_LIBRARIES
  "|yaml-cpp ${yaml-cpp_VERSION}|prometheus-cpp ${prometheus_version}|spdlog ${spdlog_version}|tzdata ${KEELSON_TZDATA_VERSION}")

set_source_files_properties(src/program/version.cpp PROPERTIES COMPILE_DEFINITIONS
  "KEELSON_VERSION=\"${PROJECT_VERSION}\";KEELSON_COMMIT=\"${KEELSON_COMMIT}\";KEELSON_LIBRARIES=\"${KEELSON_LIBRARIES}\";KEELSON_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\"")
