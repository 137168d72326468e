#include "src/net/request_text.hpp"

#include "keelson/detail/base/text.hpp"
#include "src/net/host_port.hpp"
#include "src/net/text.hpp"
#include "src/net/tunnel.hpp"
#include "src/net/url_origin.hpp"

namespace keelson::net {

namespace {

bool is_ours_in_requests(std::string_view name) {
  return equal_ignoring_case(name, "Host") || equal_ignoring_case(name, "Content-Length") ||
         equal_ignoring_case(name, "Connection") || equal_ignoring_case(name, "Transfer-Encoding");
}

bool may_have_body(const Request& request) {
  return !request.body.empty() || request.method == "POST" || request.method == "PUT" || request.method == "PATCH";
}

// A zone names an interface of this machine and means nothing to the peer.
std::string host_header(const Origin& origin) {
  return authority_of({origin.tls, without_zone(origin.host), origin.port});
}

}  // namespace

Result<std::string> request_head(const Request& request, const Origin& origin, const std::optional<Proxy>& forwarder) {
  if (!is_token(request.method)) return invalid_error("net/http: invalid method \"" + request.method + "\"");
  if (!request.target.starts_with('/') || !is_target(request.target)) {
    return invalid_error("net/http: invalid request target \"" + request.target + "\"");
  }
  auto host = host_header(origin);
  auto target = forwarder ? "http://" + host + request.target : request.target;
  std::string head = request.method + " " + target + " HTTP/1.1\r\nHost: " + host + "\r\n";
  if (forwarder) head += proxy_authorization(*forwarder);
  for (const auto& [name, value] : request.headers) {
    if (!is_token(name)) return invalid_error("net/http: invalid header field name \"" + name + "\"");
    if (!is_header_value(value)) return invalid_error("net/http: invalid header field value for \"" + name + "\"");
    if (!is_ours_in_requests(name)) head += name + ": " + value + "\r\n";
  }
  if (may_have_body(request)) head += "Content-Length: " + std::to_string(request.body.size()) + "\r\n";
  head += "\r\n";
  return head;
}

std::string describe(const Request& request, const Origin& origin) {
  std::string method = request.method;
  for (std::size_t i = 1; i < method.size(); ++i) method[i] = base::to_lower(method[i]);
  auto address = join_host_port(origin.host, origin.port);
  return method + " \"" + (origin.tls ? "https://" : "http://") + address + request.target + "\"";
}

bool is_valid_origin(const Origin& origin) {
  return !origin.host.empty() && is_target(origin.host) && parse_port(origin.port).has_value();
}

}  // namespace keelson::net
