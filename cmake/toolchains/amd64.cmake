# Cross-compiles the manager for amd64: clang, with the packages of `scripts/setup --build amd64` (Debian's multiarch).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_CXX_COMPILER_TARGET x86_64-linux-gnu)
