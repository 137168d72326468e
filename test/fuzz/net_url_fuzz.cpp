// Any text as a server URL, proxy URL, NO_PROXY or bind address: parsing never crashes, and what it accepts can be used
// and written again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/net/http_client.hpp"
#include "keelson/detail/net/http_server.hpp"
#include "keelson/detail/net/proxy.hpp"
#include "src/net/host_port.hpp"
#include "src/net/text.hpp"

namespace {

using namespace keelson;

void check_server_url(std::string_view text) {
  auto parsed = net::parse_server_url(text);
  if (!parsed) {
    KEELSON_ASSERT(parsed.error().kind == Error::Kind::kInvalid && !parsed.error().text.empty());
    return;
  }
  const auto& origin = parsed->origin;
  KEELSON_ASSERT(!origin.host.empty() && net::is_target(origin.host));
  auto port = net::parse_port(origin.port);
  KEELSON_ASSERT(port && *port > 0);
  KEELSON_ASSERT(parsed->path_prefix.empty() || parsed->path_prefix.starts_with('/'));
  KEELSON_ASSERT(!parsed->path_prefix.ends_with('/') && net::is_target(parsed->path_prefix));

  auto host = origin.host;
  if (auto zone = host.find('%'); zone != std::string::npos) host.insert(zone + 1, "25");
  auto url = (origin.tls ? "https://" : "http://") + net::join_host_port(host, origin.port) + parsed->path_prefix;
  auto again = net::parse_server_url(url);
  KEELSON_ASSERT(again && again->origin.host == origin.host);
  KEELSON_ASSERT(again && again->origin.port == origin.port && again->path_prefix == parsed->path_prefix);
}

void check_proxy_url(std::string_view text) {
  auto proxy = net::parse_proxy_url(text, "source");
  if (!proxy) {
    KEELSON_ASSERT(proxy.error().text.starts_with("source: "));
    return;
  }
  auto port = net::parse_port(proxy->port);
  KEELSON_ASSERT(!proxy->host.empty() && port && *port > 0);
  auto again = net::parse_proxy_url(
      proxy->url().substr(0, proxy->url().find("://") + 3) + net::join_host_port(proxy->host, proxy->port), "source");
  KEELSON_ASSERT(again && again->host == proxy->host && again->port == proxy->port);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  check_server_url(text);
  check_proxy_url(text);
  KEELSON_ASSERT(net::bypasses_proxy(text, "127.0.0.1", "443"));
  static_cast<void>(net::bypasses_proxy(text, "www.example.com", "443"));
  static_cast<void>(net::bypasses_proxy(text, "2002:db8:a::1", "443"));
  auto address = net::parse_bind_address(text);
  if (!address) KEELSON_ASSERT(address.error().text.starts_with("address "));
  return 0;
}
