// The words after a status code, as Go's net/http writes them.
#pragma once

#include <string_view>

namespace keelson::net {

// Empty for codes that have none.
[[nodiscard]] std::string_view reason_phrase(int status);

}  // namespace keelson::net
