# The manager for arm64, compiled elsewhere: clang, with what `scripts/setup --build arm64` installs (Debian's multiarch).
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER_TARGET aarch64-linux-gnu)
