// The licenses of the libraries that are linked in: the file THIRD-PARTY-NOTICES, compiled in by
// cmake/KeelsonVersion.cmake.
#pragma once

#include <span>
#include <string>

#include "src/program/packed_text.hpp"

namespace keelson::program {

extern const std::span<const unsigned char> kPackedNotices;

[[nodiscard]] inline std::string third_party_notices() { return unpack_text(kPackedNotices); }

}  // namespace keelson::program
