// The example of include/keelson/base/result.hpp.
#include <charconv>
#include <string>
#include <string_view>

#include "keelson/base/go_text.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"

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

}  // namespace keelson::examples
