// Decompression: the only place that knows zlib.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keelson::sandbox {

// Of data that was compressed by our own build (raw deflate, RFC 1951); what follows its end is ignored.
[[nodiscard]] std::string inflate(std::string_view compressed, std::size_t expected_size);

}  // namespace keelson::sandbox
