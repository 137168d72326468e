// Decompression: next to src/program/commands/tar_gz.hpp the only file that uses zlib.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keelson::sandbox {

// Inflates data that our build compressed (raw deflate, RFC 1951); bytes after its end are ignored.
[[nodiscard]] std::string inflate(std::string_view compressed, std::size_t expected_size);

}  // namespace keelson::sandbox
