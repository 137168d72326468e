// The licenses of the libraries that are linked in: the file THIRD-PARTY-NOTICES, compiled in by
// cmake/KeelsonVersion.cmake.
#pragma once

#include <string_view>

namespace keelson::program {

[[nodiscard]] std::string_view third_party_notices();

}  // namespace keelson::program
