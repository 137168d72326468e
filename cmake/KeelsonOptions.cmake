# Compiler, warnings and modes: the settings that apply only to our own code.
option(KEELSON_TESTS "Build the tests" OFF)
option(KEELSON_SANITIZE "Address and undefined behavior sanitizers" OFF)

set(KEELSON_DEPS "$ENV{KEELSON_DEPS}" CACHE PATH "The folder of scripts/setup for libraries that no package has in a usable form")
if(NOT KEELSON_DEPS)
  set(KEELSON_DEPS "$ENV{HOME}/.cache/keelson/deps" CACHE PATH "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# g++ 12 destroys temporaries of co_await expressions twice; g++ 13 has internal errors on them.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 14)
  message(FATAL_ERROR "g++ ${CMAKE_CXX_COMPILER_VERSION} miscompiles coroutines: use clang++ 16 or later, or g++ 14 "
                      "or later (scripts/setup installs one, scripts/build chooses it, CXX overrides it)")
endif()

find_program(KEELSON_CCACHE ccache)
if(KEELSON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${KEELSON_CCACHE}")
endif()

# Most of the compile time is spent on headers, especially Asio's. Presets release and asan compile a room's files in
# groups, each group as a single file, which takes a third of the time. Preset dev compiles each file separately, because
# usually a single file changes. Therefore a name in an anonymous namespace must be unique within a room.
if(CMAKE_BUILD_TYPE STREQUAL "Release" OR KEELSON_SANITIZE)
  set(KEELSON_IN_GROUPS ON)
else()
  set(KEELSON_IN_GROUPS OFF)
endif()

add_library(keelson_options INTERFACE)
# In a group, a local name may shadow a name of another file.
target_compile_options(keelson_options INTERFACE
  -Wall -Wextra -Wpedantic $<$<NOT:$<BOOL:${KEELSON_IN_GROUPS}>>:-Wshadow> -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Werror
  -ffunction-sections -fdata-sections)
target_compile_definitions(keelson_options INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED BOOST_BEAST_USE_STD_STRING_VIEW)
target_include_directories(keelson_options INTERFACE
  $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}>)

# The same commit gives the same bytes in any folder (scripts/release). ccache makes paths relative to the build folder.
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  file(RELATIVE_PATH keelson_from_build "${CMAKE_BINARY_DIR}" "${CMAKE_SOURCE_DIR}")
  add_compile_options("-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=" "-ffile-prefix-map=${keelson_from_build}=")
endif()

if(KEELSON_SANITIZE)
  # RapidJSON 1.1.0 adds zero to null pointers. Asio's recycling of memory would hide use after free.
  add_compile_options(-fsanitize=address,undefined -fno-sanitize=pointer-overflow -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
  add_compile_definitions(BOOST_ASIO_DISABLE_SMALL_BLOCK_RECYCLING)
endif()

# Only clang has libFuzzer. The fuzz targets and the tests share the libraries of the rooms, because compiling them twice
# would take minutes.
if(KEELSON_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  set(KEELSON_FUZZ ON)
else()
  set(KEELSON_FUZZ OFF)
endif()

# lld links a test program in a third of GNU ld's time.
include(CheckLinkerFlag)
check_linker_flag(CXX "-fuse-ld=lld" KEELSON_HAS_LLD)
if(KEELSON_HAS_LLD AND NOT CMAKE_BUILD_TYPE STREQUAL "Release")
  add_link_options(-fuse-ld=lld)
endif()
