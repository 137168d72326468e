// SHA-256: a name for a text that does not give the text away.
#pragma once

#include <array>
#include <string_view>

namespace keelson::net {

using Sha256 = std::array<unsigned char, 32>;

[[nodiscard]] Sha256 sha256(std::string_view text);

}  // namespace keelson::net
