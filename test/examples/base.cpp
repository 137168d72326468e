// The examples of include/keelson/base.
#include <charconv>
#include <string>
#include <string_view>

#include "keelson/base/log.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/secure_random.hpp"

namespace keelson::examples {

// [result]
Result<int> parse_port(std::string_view text) {
  int port = 0;
  auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), port);
  bool is_number = failure == std::errc() && end == text.data() + text.size();
  if (!is_number || port < 1 || port > 65535) {
    return invalid_error("invalid port " + base::quote_go(text) + ": use a number from 1 to 65535");
  }
  return port;
}

Result<std::string> address_of(std::string_view host, std::string_view port_text) {
  KEELSON_LET(auto port, parse_port(port_text));
  return std::string(host) + ":" + std::to_string(port);
}
// [end]

// [secure_random_text]
std::string new_token() { return "tok_" + base::secure_random_text(32); }
// [end]

// [error]
Result<int> port_of_flag(std::string_view name, std::string_view value) {
  if (value == "0") return invalid_error("--port: 0 is not a port; use 1 to 65535");
  auto port = parse_port(value);
  if (!port) return std::move(port).error().with_context("--" + std::string(name));
  return *port;
}
// [end]

Result<void> check_host(std::string_view host);
Task<void> send_ping(std::string url);

// [try]
Result<std::string> url_of(std::string_view host, std::string_view port) {
  KEELSON_TRY(check_host(host));                      // returns the Error of a failed Result
  KEELSON_LET(auto address, address_of(host, port));  // the same; otherwise declares `address` with the value
  return "http://" + address;
}

Task<void> ping(std::string host) {
  KEELSON_CO_LET(auto url, url_of(host, "80"));  // the same two in a coroutine
  KEELSON_CO_TRY(co_await send_ping(url));
  co_return Result<void>();
}
// [end]

// [log]
void start_workers(const Logger& root, int workers) {
  auto log = root.named("controller").with({{"kind", "Memcached"}});
  log.info("Starting workers", {{"worker count", workers}});
}
// [end]

}  // namespace keelson::examples
