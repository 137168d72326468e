// Parses "host:port" as Go's net.SplitHostPort, with its error texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::net {

enum class Port { kRequired, kOptional };

struct HostPort {
  std::string host;
  std::string port;
  bool bracketed = false;  // "[::1]:80"
};

// The error's text is the reason alone: "missing port in address".
[[nodiscard]] Result<HostPort> split_host_port(std::string_view text, Port port);

// The same of a URL, with `default_port` unless it has one. The port must be usable, and the host a name or an address;
// the zone of an address is decoded ("fe80::1%25eth0"). An authority with user information must be rejected before,
// because the error contains the host: `invalid host "x"`.
[[nodiscard]] Result<HostPort> parse_authority(std::string_view text, std::string_view default_port);

// A decimal number up to 65535 and nothing else.
[[nodiscard]] std::optional<std::uint16_t> parse_port(std::string_view text);

// True if the text consists of letters, digits and ".-_", as host names in use do.
[[nodiscard]] bool is_host_name(std::string_view text);

// The host without the zone of an IPv6 address, which selects an interface of this machine: the name that a server and
// its certificate know.
[[nodiscard]] std::string without_zone(std::string_view host);

// True if the text is an IPv6 address, with or without a zone.
[[nodiscard]] bool is_ipv6(const std::string& text);

}  // namespace keelson::net
