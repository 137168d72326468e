#include "src/program/endpoint_guard.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <utility>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/net/request_path.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

// "localhost:8081" and "[::1]:8081" without the port and the brackets.
std::string host_name(std::string_view host) {
  if (host.starts_with('[')) return std::string(host.substr(1, host.find(']') - 1));
  return base::to_lower(host.substr(0, host.find(':')));
}

bool is_loopback_host(const std::string& host) {
  boost::system::error_code no_address;
  const auto address = asio::ip::make_address(host, no_address);
  return !no_address && address.is_loopback();
}

// Not all of 127.0.0.0/8: Istio's sidecar forwards requests of the network from 127.0.0.6.
bool is_loopback_peer(const std::string& peer) {
  return peer == "127.0.0.1" || peer == "::1" || peer == "::ffff:127.0.0.1";
}

bool names_loopback(const net::Request& request) {
  const auto host = host_name(net::header(request.headers, "Host"));
  return host.empty() || host == "localhost" || is_loopback_host(host);
}

asio::awaitable<net::ServerReply> serve(net::Response response) {
  net::ServerReply reply;
  reply.response = std::move(response);
  co_return reply;
}

}  // namespace

std::vector<lifecycle::HttpEndpoint> guarded(std::vector<lifecycle::HttpEndpoint> endpoints,
                                             const EndpointGuard& guard) {
  const net::Handler open = [endpoints](net::Request request) {
    const auto path = net::path_of(request);
    const auto found = std::ranges::find_if(endpoints, [&](const auto& e) { return e.path == path; });
    return found == endpoints.end() ? serve(net::not_found_response()) : found->handler(std::move(request));
  };
  const auto authorized =
      access::authorized(guard.clock, guard.random, guard.log, guard.api_server, open, {.audience = guard.audience});
  for (auto& endpoint : endpoints) {
    endpoint.handler = [open, authorized](net::Request request) {
      if (!is_local(request)) return authorized(std::move(request));
      access::set_user(request.headers, std::string(kLocalUser));
      return open(std::move(request));
    };
  }
  return endpoints;
}

std::vector<lifecycle::HttpEndpoint> unguarded(std::vector<lifecycle::HttpEndpoint> endpoints) {
  for (auto& endpoint : endpoints) {
    endpoint.handler = [open = std::move(endpoint.handler)](net::Request request) {
      const bool is_rebound = is_loopback_peer(request.peer) && !names_loopback(request);
      access::set_user(request.headers, "");
      return is_rebound ? serve(net::text_response(403, "403 the header Host must name loopback\n"))
                        : open(std::move(request));
    };
  }
  return endpoints;
}

std::vector<lifecycle::HttpEndpoint> without_claimed_user(std::vector<lifecycle::HttpEndpoint> endpoints) {
  for (auto& endpoint : endpoints) {
    endpoint.handler = [inner = std::move(endpoint.handler)](net::Request request) {
      access::set_user(request.headers, "");
      return inner(std::move(request));
    };
  }
  return endpoints;
}

bool is_local(const net::Request& request) { return is_loopback_peer(request.peer) && names_loopback(request); }

}  // namespace keelson::program
