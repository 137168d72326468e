// Parsers of flag values, with the errors of Go's flag package and of controller-runtime's zap flags.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"

namespace keelson::program {

// strconv.ParseBool: 1 t T TRUE true True, 0 f F FALSE false False.
[[nodiscard]] Result<bool> parse_bool_flag(std::string_view text);
// strconv.ParseInt with base 0: 10, -0x1F, 0o17, 017, 0b11, 1_000.
[[nodiscard]] Result<std::int64_t> parse_int_flag(std::string_view text);
// time.ParseDuration; Go's flag package replaces its message by "parse error".
[[nodiscard]] Result<std::chrono::nanoseconds> parse_duration_flag(std::string_view text);

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

// The parts of a comma separated list without surrounding blanks; empty parts are dropped.
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view text);

}  // namespace keelson::program
