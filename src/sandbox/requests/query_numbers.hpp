// Checks numbers in requests, with the texts of Go's strconv.
#pragma once

#include <optional>
#include <string>

#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

// `strconv.ParseUint: parsing "12x": invalid syntax`; nullopt if the resourceVersion is a number or empty.
[[nodiscard]] std::optional<std::string> version_error(const std::string& version);
// `resourceVersion: Invalid value: "12x": ` and the error above, for the resourceVersion of a list or watch.
[[nodiscard]] std::optional<std::string> query_version_error(const Call& call);
// 400 if the limit or the timeoutSeconds of a list or watch is given, but is no number.
[[nodiscard]] RejectionOr<void> check_query_numbers(const Call& call);

}  // namespace keelson::sandbox
