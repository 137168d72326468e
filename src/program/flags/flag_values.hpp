// Parsers of values of the manager's flags, with the errors of controller-runtime's zap flags.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"

namespace keelson::program {

// "a, b,,a" is a and b. A name that the API server would reject is an error.
[[nodiscard]] Result<std::vector<std::string>> parse_namespaces(std::string_view text);

// A DNS label, because the name is a part of the DNS names in the certificate.
[[nodiscard]] Result<std::string> parse_service_name(std::string_view text);

[[nodiscard]] Result<LogOptions::Encoder> parse_zap_encoder(std::string_view text);
// As LogOptions::verbosity.
[[nodiscard]] Result<int> parse_zap_log_level(std::string_view text);
[[nodiscard]] Result<void> check_zap_stacktrace_level(std::string_view text);
[[nodiscard]] Result<LogOptions::TimeEncoding> parse_zap_time_encoding(std::string_view text);
[[nodiscard]] std::string_view name_of(LogOptions::TimeEncoding encoding);

}  // namespace keelson::program
