// Checks of the characters of HTTP messages and addresses, independent of the locale.
#pragma once

#include <string>
#include <string_view>

namespace keelson::net {

[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b);

// RFC 9110 token: methods and header names.
[[nodiscard]] bool is_token(std::string_view text);
// True if the text may be a request target: no space and no control character.
[[nodiscard]] bool is_target(std::string_view text);

// "host:port", with brackets around an IPv6 address, as Go's net.JoinHostPort.
[[nodiscard]] std::string join_host_port(std::string_view host, std::string_view port);

}  // namespace keelson::net
