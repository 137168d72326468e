// SHA-256 of a text.
//
// For keys of caches and for comparing texts that must not be stored, such as tokens. Do not use it for short secrets
// such as passwords, which can be guessed from their digest.
#pragma once

#include <array>
#include <string_view>

namespace keelson::tls {

using Sha256 = std::array<unsigned char, 32>;

// Cannot fail. The digest is binary, not hexadecimal.
[[nodiscard]] Sha256 sha256(std::string_view text);

}  // namespace keelson::tls
