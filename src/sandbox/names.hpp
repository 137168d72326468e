// Validation of names with the error texts of Kubernetes.
#pragma once

#include <string>
#include <string_view>

namespace keelson::sandbox {

// Empty for a DNS-1035 label.
[[nodiscard]] std::string label_error(std::string_view name);
// Empty for an RFC 1123 subdomain.
[[nodiscard]] std::string subdomain_error(std::string_view name);

}  // namespace keelson::sandbox
