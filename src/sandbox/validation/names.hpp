// Validation of names with the error texts of Kubernetes.
#pragma once

#include <string>
#include <string_view>

namespace keelson::sandbox {

// The error for a name that is not a DNS-1035 label; otherwise empty.
[[nodiscard]] std::string label_error(std::string_view name);
// The error for a name that is not an RFC 1123 label; otherwise empty.
[[nodiscard]] std::string label_1123_error(std::string_view name);
// The error for the name of a kind that is not a DNS-1035 label in any case; otherwise empty.
[[nodiscard]] std::string kind_error(std::string_view kind);
// The error for a name that is not an RFC 1123 subdomain; otherwise empty.
[[nodiscard]] std::string subdomain_error(std::string_view name);

}  // namespace keelson::sandbox
