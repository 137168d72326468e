#include "keelson/detail/net/http_server.hpp"
#include "src/net/host_port.hpp"

namespace keelson::net {

Result<BindAddress> parse_bind_address(std::string_view text) {
  auto reject = [&](const std::string& why) { return invalid_error("address " + std::string(text) + ": " + why); };
  auto parts = split_host_port(text, Port::kRequired);
  if (!parts) return reject(parts.error().text);
  // As in Go, "host:" means any free port.
  auto port = parse_port(parts->port.empty() ? "0" : parts->port);
  if (!port) return reject("invalid port");
  return BindAddress{parts->host, *port};
}

}  // namespace keelson::net
