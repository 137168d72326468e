# The text of `manager version`, passed to the source file that prints it. The environment variable KEELSON_COMMIT is the
# commit of sources without their git history, as in the Dockerfile.
set(KEELSON_COMMIT "$ENV{KEELSON_COMMIT}")
if(NOT KEELSON_COMMIT)
  execute_process(COMMAND git -C "${CMAKE_SOURCE_DIR}" rev-parse --short=7 HEAD
    OUTPUT_VARIABLE KEELSON_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT KEELSON_COMMIT)
  set(KEELSON_COMMIT unknown)
endif()
# A new commit changes the version text: configure again when HEAD moves.
foreach(head HEAD logs/HEAD)
  if(EXISTS "${CMAKE_SOURCE_DIR}/.git/${head}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/.git/${head}")
  endif()
endforeach()

function(keelson_header_version result header pattern)
  file(STRINGS "${header}" lines REGEX "define[ \t]+${pattern}")
  set(parts "")
  foreach(line IN LISTS lines)
    if(line MATCHES "([0-9]+)[ \t]*$")
      list(APPEND parts "${CMAKE_MATCH_1}")
    endif()
  endforeach()
  list(JOIN parts "." joined)
  set(${result} "${joined}" PARENT_SCOPE)
endfunction()

# Appends "NAME VERSION (PACKAGE REVISION)" to KEELSON_LIBRARIES; an empty version is that of the package. FILE belongs to the package of the distribution; security
# fixes change the package's revision, not the version.
set(KEELSON_LIBRARIES "")
function(keelson_linked_library name version)
  cmake_parse_arguments(LIBRARY "" "FILE;REVISION" "" ${ARGN})
  set(revision "${LIBRARY_REVISION}")
  if(LIBRARY_FILE)
    file(REAL_PATH "${LIBRARY_FILE}" path)
    execute_process(COMMAND dpkg-query -S "${path}" OUTPUT_VARIABLE owner RESULT_VARIABLE status ERROR_QUIET)
    if(status EQUAL 0 AND owner MATCHES "^([^ ,]+): ")
      execute_process(COMMAND dpkg-query -W -f "\${Package} \${Version}" "${CMAKE_MATCH_1}" OUTPUT_VARIABLE revision ERROR_QUIET)
    endif()
  endif()
  if(NOT version AND revision MATCHES " ([0-9.]+)")
    set(version "${CMAKE_MATCH_1}")
  endif()
  set(line "${name} ${version}")
  if(revision)
    string(APPEND line " (${revision})")
  endif()
  list(APPEND KEELSON_LIBRARIES "${line}")
  set(KEELSON_LIBRARIES "${KEELSON_LIBRARIES}" PARENT_SCOPE)
endfunction()

# All libraries in the binary; THIRD-PARTY-NOTICES has a section for each, and a test compares the two.
keelson_linked_library(Boost "${Boost_VERSION_STRING}" FILE "${Boost_INCLUDE_DIRS}/boost/version.hpp")
if(openssl_root)
  get_filename_component(openssl_revision "${openssl_root}" NAME)
  set(openssl_package openssl)
  # scripts/setup has unpacked Debian's archives, because the source of this version was missing.
  if(EXISTS "${openssl_root}/PACKAGED")
    set(openssl_package libssl-dev)
  endif()
  string(REGEX REPLACE "^openssl-(.*)-[a-z0-9]+$" "${openssl_package} \\1" openssl_revision "${openssl_revision}")
  keelson_linked_library(OpenSSL "${OPENSSL_VERSION}" REVISION "${openssl_revision}")
else()
  keelson_linked_library(OpenSSL "${OPENSSL_VERSION}" FILE "${OPENSSL_CRYPTO_LIBRARY}")
endif()
set(rapidjson_header "${KEELSON_RAPIDJSON_INCLUDE}/rapidjson/rapidjson.h")
keelson_header_version(version "${rapidjson_header}" "RAPIDJSON_(MAJOR|MINOR|PATCH)_VERSION")
keelson_linked_library(RapidJSON "${version}" FILE "${rapidjson_header}")
find_package(yaml-cpp QUIET)
keelson_linked_library(yaml-cpp "${yaml-cpp_VERSION}" FILE "${KEELSON_YAML}")
get_filename_component(version "${prometheus_root}" NAME)
string(REPLACE "prometheus-cpp-" "" version "${version}")
keelson_linked_library(prometheus-cpp "${version}")
set(spdlog_header "${KEELSON_SPDLOG_INCLUDE}/spdlog/version.h")
keelson_header_version(version "${spdlog_header}" "SPDLOG_VER_(MAJOR|MINOR|PATCH)")
keelson_linked_library(spdlog "${version}" FILE "${spdlog_header}")
# 90100 is 9.1.0.
find_file(KEELSON_FMT_HEADER fmt/core.h REQUIRED)
keelson_header_version(version "${KEELSON_FMT_HEADER}" "FMT_VERSION")
math(EXPR major "${version} / 10000")
math(EXPR minor "${version} / 100 % 100")
math(EXPR patch "${version} % 100")
keelson_linked_library(fmt "${major}.${minor}.${patch}" FILE "${KEELSON_FMT_HEADER}")
keelson_header_version(version "${KEELSON_ZLIB_INCLUDE}/zlib.h" "ZLIB_VER_(MAJOR|MINOR|REVISION)")
keelson_linked_library(zlib "${version}" FILE "${KEELSON_ZLIB}")
keelson_linked_library(tzdata "${KEELSON_TZDATA_VERSION}")

# The compiler finds the C and the C++ library.
function(keelson_find_archive result name)
  set(target "")
  if(CMAKE_CXX_COMPILER_TARGET)
    set(target "--target=${CMAKE_CXX_COMPILER_TARGET}")
  endif()
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" ${target} "-print-file-name=${name}" OUTPUT_VARIABLE path
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(${result} "${path}" PARENT_SCOPE)
endfunction()

keelson_find_archive(archive libstdc++.a)
if(archive MATCHES "/([0-9]+)/libstdc[+][+][.]a$")
  keelson_linked_library(libstdc++ "${CMAKE_MATCH_1}" FILE "${archive}")
else()
  keelson_linked_library(libstdc++ unknown)
endif()
find_file(KEELSON_GLIBC_HEADER features.h REQUIRED)
keelson_header_version(version "${KEELSON_GLIBC_HEADER}" "__GLIBC(_MINOR)?__")
keelson_find_archive(archive libc.a)
keelson_linked_library(glibc "${version}" FILE "${archive}")
list(JOIN KEELSON_LIBRARIES "|" KEELSON_LIBRARIES)

# SQLite and RE2 are only in keelson-sandbox, which lists them after the others.
set(sqlite_header "${KEELSON_SQLITE_INCLUDE}/sqlite3.h")
file(STRINGS "${sqlite_header}" version REGEX "define[ \t]+SQLITE_VERSION[ \t]")
string(REGEX REPLACE "^.*\"([0-9.]+)\".*$" "\\1" version "${version}")
set(other_libraries "${KEELSON_LIBRARIES}")
set(KEELSON_LIBRARIES "")
keelson_linked_library(SQLite "${version}" FILE "${KEELSON_SQLITE}")
set_source_files_properties(src/sandbox_data/data_file.cpp PROPERTIES COMPILE_DEFINITIONS
  "KEELSON_SQLITE_LIBRARY=\"${KEELSON_LIBRARIES}\"")
set(sqlite_library "${KEELSON_LIBRARIES}")
set(KEELSON_LIBRARIES "")
# RE2's headers have no version, only its package.
keelson_linked_library(RE2 "" FILE "${KEELSON_RE2}")
set_source_files_properties(src/sandbox_program/main.cpp PROPERTIES COMPILE_DEFINITIONS
  "KEELSON_RE2_LIBRARY=\"${KEELSON_LIBRARIES}\"")
# A line for each library that a program is linked with: scripts/release writes its SBOM from them.
string(REPLACE "|" "\n" lines "${other_libraries}")
foreach(program manager keelson)
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/linked-libraries/${program}.txt" CONTENT "${lines}\n")
endforeach()
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/linked-libraries/plan.txt" CONTENT "${lines}\n${KEELSON_LIBRARIES}\n")
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/linked-libraries/keelson-sandbox.txt"
  CONTENT "${lines}\n${sqlite_library}\n${KEELSON_LIBRARIES}\n")
set(KEELSON_LIBRARIES "${other_libraries}")

set_source_files_properties(src/program/version.cpp PROPERTIES COMPILE_DEFINITIONS
  "KEELSON_VERSION=\"${PROJECT_VERSION}\";KEELSON_COMMIT=\"${KEELSON_COMMIT}\";KEELSON_LIBRARIES=\"${KEELSON_LIBRARIES}\";KEELSON_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\"")

# `manager version --licenses` prints the notices from the binary, so that a binary that is copied without files has them.
# The text is packed, because it is long.
set(notices_file "${CMAKE_SOURCE_DIR}/THIRD-PARTY-NOTICES")
set(keelson_notices "${CMAKE_BINARY_DIR}/notices/notices.cpp")
keelson_build_tool(text_packer "${CMAKE_SOURCE_DIR}/tools/text_packer/main.cpp")
add_custom_command(OUTPUT "${keelson_notices}"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${CMAKE_BINARY_DIR}/notices"
  COMMAND ${text_packer} "${notices_file}" "${keelson_notices}"
  DEPENDS ${text_packer} "${notices_file}" COMMENT "Packing THIRD-PARTY-NOTICES" VERBATIM)
