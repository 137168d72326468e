# `cmake --install`: headers, the archive, the binary, and a find_package(keelson) config.
include(GNUInstallDirs)
