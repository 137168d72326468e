# Third-party libraries, all as SYSTEM and all static; scripts/setup installs them.
set(Boost_USE_STATIC_LIBS ON)
find_package(Boost 1.81 REQUIRED)
find_package(Threads REQUIRED)

add_library(keelson_boost INTERFACE)
target_include_directories(keelson_boost SYSTEM INTERFACE ${Boost_INCLUDE_DIRS})
target_link_libraries(keelson_boost INTERFACE Threads::Threads)

# A release links the OpenSSL that scripts/setup compiled from Debian's source: without unused algorithms, and newer than
# the system's if that has not been updated. Other presets, and systems on which setup does not compile it, use the system's.
set(OPENSSL_USE_STATIC_LIBS ON)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(openssl_architecture arm64)
else()
  set(openssl_architecture amd64)
endif()
file(GLOB openssl_roots CONFIGURE_DEPENDS "${KEELSON_DEPS}/openssl-*-${openssl_architecture}")
if(openssl_roots AND CMAKE_BUILD_TYPE STREQUAL "Release")
  list(SORT openssl_roots COMPARE NATURAL ORDER DESCENDING)
  list(GET openssl_roots 0 openssl_root)
  set(OPENSSL_INCLUDE_DIR "${openssl_root}/include" CACHE PATH "" FORCE)
  set(OPENSSL_SSL_LIBRARY "${openssl_root}/lib/libssl.a" CACHE FILEPATH "" FORCE)
  set(OPENSSL_CRYPTO_LIBRARY "${openssl_root}/lib/libcrypto.a" CACHE FILEPATH "" FORCE)
endif()
find_package(OpenSSL 3.0 REQUIRED)
add_library(keelson_openssl INTERFACE)
target_link_libraries(keelson_openssl INTERFACE OpenSSL::SSL OpenSSL::Crypto)
find_path(KEELSON_ZLIB_INCLUDE zlib.h REQUIRED)
find_library(KEELSON_ZLIB libz.a REQUIRED)
add_library(keelson_zlib INTERFACE)
target_include_directories(keelson_zlib SYSTEM INTERFACE ${KEELSON_ZLIB_INCLUDE})
target_link_libraries(keelson_zlib INTERFACE ${KEELSON_ZLIB})
# Debian 13's libcrypto.a needs zlib and zstd, which its CMake target does not list.
find_library(KEELSON_ZSTD libzstd.a)
if(KEELSON_ZSTD)
  target_link_libraries(keelson_openssl INTERFACE keelson_zlib ${KEELSON_ZSTD})
endif()

find_path(KEELSON_RAPIDJSON_INCLUDE rapidjson/document.h REQUIRED)
add_library(keelson_rapidjson INTERFACE)
target_include_directories(keelson_rapidjson SYSTEM INTERFACE ${KEELSON_RAPIDJSON_INCLUDE})

# The CMake targets of yaml-cpp, spdlog and fmt are shared libraries on Debian: name the archive, or headers only.
find_path(KEELSON_YAML_INCLUDE yaml-cpp/yaml.h REQUIRED)
find_library(KEELSON_YAML libyaml-cpp.a REQUIRED)
add_library(keelson_yaml INTERFACE)
target_include_directories(keelson_yaml SYSTEM INTERFACE ${KEELSON_YAML_INCLUDE})
target_link_libraries(keelson_yaml INTERFACE ${KEELSON_YAML})

# Only keelson-sandbox links SQLite.
find_path(KEELSON_SQLITE_INCLUDE sqlite3.h REQUIRED)
find_library(KEELSON_SQLITE libsqlite3.a REQUIRED)
add_library(keelson_sqlite INTERFACE)
target_include_directories(keelson_sqlite SYSTEM INTERFACE ${KEELSON_SQLITE_INCLUDE})
target_link_libraries(keelson_sqlite INTERFACE ${KEELSON_SQLITE} m ${CMAKE_DL_LIBS})

find_path(KEELSON_SPDLOG_INCLUDE spdlog/spdlog.h REQUIRED)
add_library(keelson_spdlog INTERFACE)
target_include_directories(keelson_spdlog SYSTEM INTERFACE ${KEELSON_SPDLOG_INCLUDE})
target_compile_definitions(keelson_spdlog INTERFACE FMT_HEADER_ONLY)

# Distributions have no static prometheus-cpp: its core is compiled here from the sources that scripts/setup downloads.
file(GLOB prometheus_roots "${KEELSON_DEPS}/prometheus-cpp-*")
list(FILTER prometheus_roots INCLUDE REGEX "/prometheus-cpp-[0-9.]+$")
if(NOT prometheus_roots)
  message(FATAL_ERROR "no prometheus-cpp sources under ${KEELSON_DEPS}: run scripts/setup")
endif()
list(SORT prometheus_roots COMPARE NATURAL ORDER DESCENDING)
list(GET prometheus_roots 0 prometheus_root)
if(NOT EXISTS "${prometheus_root}/include/prometheus/registry.h")
  message(FATAL_ERROR "no prometheus/registry.h in ${prometheus_root}: delete it and run scripts/setup")
endif()
file(GLOB prometheus_sources "${prometheus_root}/src/*.cc" "${prometheus_root}/src/detail/*.cc")
add_library(keelson_prometheus STATIC EXCLUDE_FROM_ALL ${prometheus_sources})
target_include_directories(keelson_prometheus SYSTEM PUBLIC "${prometheus_root}/include")

# The source of the time zones and its compiler; KeelsonZones.cmake converts them into tables.
find_program(KEELSON_ZIC zic PATHS /usr/sbin /sbin REQUIRED)
find_file(KEELSON_TZDATA tzdata.zi PATHS /usr/share/zoneinfo NO_DEFAULT_PATH REQUIRED)
file(STRINGS "${KEELSON_TZDATA}" KEELSON_TZDATA_VERSION LIMIT_COUNT 1)
string(REGEX REPLACE "^# version " "" KEELSON_TZDATA_VERSION "${KEELSON_TZDATA_VERSION}")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${KEELSON_TZDATA}")
