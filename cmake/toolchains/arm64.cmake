# Cross-compiles the manager for arm64: clang, with the packages of `scripts/setup --build arm64` (Debian's multiarch).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
