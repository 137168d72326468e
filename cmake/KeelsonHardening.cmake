# The flags that harden the released binary and keep it small; scripts/check-release prints the protections as a table,
# and docs/decisions/0010-hardened-binary-under-9-mb.md has the reasons. Presets dev and asan compile without
# most of these flags, because they cost time and the sanitizers find more.
# This file is included before any target is defined, so the options apply to all targets, including prometheus-cpp's.
include(CheckCXXCompilerFlag)
include(CheckLinkerFlag)

# Adds each flag that the compiler supports for the target: -fcf-protection is for x86-64, -mbranch-protection for arm64.
function(keelson_add_compile_options)
  # An ignored flag gives a warning and no protection.
  set(CMAKE_REQUIRED_FLAGS -Werror)
  foreach(flag IN LISTS ARGN)
    string(MAKE_C_IDENTIFIER "KEELSON_TAKES_${flag}" is_known)
    check_cxx_compiler_flag("${flag}" ${is_known})
    if(${is_known})
      add_compile_options("${flag}")
    endif()
  endforeach()
endfunction()

# In all presets, so that a test fails where the release would abort.
add_compile_definitions(_GLIBCXX_ASSERTIONS)

if(CMAKE_BUILD_TYPE STREQUAL "Release" AND NOT KEELSON_SANITIZE)
  keelson_add_compile_options(
    -fstack-protector-strong -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
  # Some compilers define a level of their own.
  add_compile_options(-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3)

  # Assertion messages contain the paths of source files, relative to the repository in any build folder. ccache makes
  # paths relative to share its results between clones, hence the second form.
  file(RELATIVE_PATH source_dir_from_build "${CMAKE_BINARY_DIR}" "${CMAKE_SOURCE_DIR}")
  foreach(prefix "${CMAKE_SOURCE_DIR}/" "${source_dir_from_build}")
    add_compile_options("-ffile-prefix-map=${prefix}=")
  endforeach()
  add_compile_options("-ffile-prefix-map=${KEELSON_DEPS}/=")
endif()

# Functions with the same code are merged if their addresses are not compared (--icf=safe), and packed relocations take a
# bit instead of 24 bytes. GNU ld supports only the second.
set(KEELSON_SMALL_LINK -fuse-ld=lld -Wl,--icf=safe,--pack-dyn-relocs=relr,-O2)
check_linker_flag(CXX "-static-pie;${KEELSON_SMALL_LINK}" KEELSON_CAN_FOLD_CODE)
if(NOT KEELSON_CAN_FOLD_CODE)
  set(KEELSON_SMALL_LINK -Wl,-z,pack-relative-relocs)
endif()

# Heap profiles count the allocations of the whole program (src/profiling/allocation_hooks.cpp). Every program that links
# room profiling has these options. The first -u keeps the functions if only the C library calls them. They refer to the C
# library's own functions weakly, which loads no member of libc.a: without the second -u, a small static program has no
# malloc() and crashes before main().
set(KEELSON_WRAP_ALLOCATIONS
  "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc,--wrap=posix_memalign,--wrap=free,-u,__wrap_malloc,-u,malloc")

# GNU ld warns that glibc's resolver and dlopen() may load shared objects even in a static program. None is needed here:
# /etc/hosts and DNS are built into glibc 2.34 and later, and OpenSSL's own algorithms into libcrypto.a.
# scripts/check-release checks this in an empty image. No flag disables only these warnings.
check_linker_flag(CXX "-static-pie;-Wl,--no-warnings" KEELSON_CAN_SILENCE_LINKER)

# A single file without shared libraries, which the kernel loads at a random address; the sanitizers need the shared C
# library. A plain -static program registers its unwind tables at its start and sorts all of them at the first exception,
# which blocks the loop for 20 ms; -static-pie uses the sorted index of .eh_frame_hdr.
function(keelson_static_executable target)
  target_link_options(${target} PRIVATE -Wl,--gc-sections)
  if(KEELSON_SANITIZE)
    return()
  endif()
  # pprof and debuggers find the unstripped program by its build ID, which is a hash of its contents.
  target_link_options(${target} PRIVATE -static-pie -Wl,-z,relro,-z,now,-z,noexecstack -Wl,--build-id=sha1)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    target_link_options(${target} PRIVATE ${KEELSON_SMALL_LINK})
  endif()
  if(KEELSON_CAN_SILENCE_LINKER)
    target_link_options(${target} PRIVATE -Wl,--no-warnings)
  endif()
endfunction()
