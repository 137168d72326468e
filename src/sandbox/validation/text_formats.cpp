#include "src/sandbox/validation/text_formats.hpp"

#include <arpa/inet.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <optional>

#include "keelson/cron/schedule.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/base/text_hash.hpp"
#include "keelson/detail/cel/pattern.hpp"
#include "src/sandbox/requests/texts.hpp"
#include "src/sandbox/validation/rule_table.hpp"

namespace keelson::sandbox {

namespace {

using Errors = std::vector<std::string>;

bool has_form(const std::string& text, const std::string& regex) {
  static base::TextMap<std::string, cel::Pattern> compiled;
  auto found = compiled.find(regex);
  if (found == compiled.end()) {
    auto pattern = cel::Pattern::compile("^(?:" + regex + ")$");
    KEELSON_ASSERT(pattern.has_value());
    found = compiled.emplace(regex, std::move(*pattern)).first;
  }
  // The time is linear, and an object has a limit, so this check has no budget of its own.
  auto steps = std::string::npos / 2;
  return found->second.matches(text, steps).value_or(false);
}

void check_format(std::string_view name, const std::string& text, Errors& errors) {
  const auto* format = rule_format(name);
  KEELSON_ASSERT(format != nullptr);
  if (format->most_bytes > 0 && text.size() > format->most_bytes) {
    const auto* unit = name.starts_with("label") ? " bytes" : " characters";
    errors.push_back("must be no more than " + std::to_string(format->most_bytes) + unit);
  }
  if (has_form(text, format->regex)) return;
  auto message = format->message;
  if (const auto at = message.find("{}"); at != std::string::npos) message.replace(at, 2, format->regex);
  errors.push_back(std::move(message));
}

void check_label_key(const std::string& text, Errors& errors) {
  const auto slash = text.find('/');
  const auto has_prefix = slash != std::string::npos;
  if (has_prefix && text.find('/', slash + 1) != std::string::npos) {
    Errors name;
    check_format("label_name", "", name);
    errors.push_back("a valid label key " + name[0].substr(std::strlen("name part ")) +
                     " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
    return;
  }
  if (has_prefix && slash == 0) errors.emplace_back("prefix part must be non-empty");
  if (has_prefix && slash > 0) {
    Errors prefix;
    check_format("dns_subdomain", text.substr(0, slash), prefix);
    for (const auto& error : prefix) errors.push_back("prefix part " + error);
  }
  const auto name = has_prefix ? text.substr(slash + 1) : text;
  if (name.empty()) errors.emplace_back("name part must be non-empty");
  if (name.size() > 63) errors.emplace_back("name part must be no more than 63 bytes");
  check_format("label_name", name, errors);
}

void check_dns_label(const std::string& text, Errors& errors) {
  Errors found;
  check_format("dns_label_form", text, found);
  const bool has_wrong_form = !found.empty() && !found.back().starts_with("must be no more");
  Errors as_subdomain;
  check_format("dns_subdomain", text, as_subdomain);
  if (has_wrong_form && as_subdomain.empty()) found.back() = "must not contain dots";
  errors.insert(errors.end(), found.begin(), found.end());
}

void check_port_name(const std::string& text, Errors& errors) {
  if (text.size() > 15) errors.emplace_back("must be no more than 15 characters");
  if (!has_form(text, "[-a-z0-9]+")) {
    errors.emplace_back("must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)");
  }
  if (std::ranges::none_of(text, [](char c) { return c >= 'a' && c <= 'z'; })) {
    errors.emplace_back("must contain at least one letter (a-z)");
  }
  if (text.find("--") != std::string::npos) errors.emplace_back("must not contain consecutive hyphens");
  if (text.starts_with('-') || text.ends_with('-')) errors.emplace_back("must not begin or end with a hyphen");
}

void check_config_key(const std::string& text, Errors& errors) {
  check_format("config_key_form", text, errors);
  if (text == "." || text == "..") {
    errors.push_back("must not be '" + text + "'");
  } else if (text.starts_with("..")) {
    errors.emplace_back("must not start with '..'");
  }
}

void check_path_segment(const std::string& text, Errors& errors) {
  if (text == "." || text == "..") {
    errors.push_back("may not be '" + text + "'");
    return;
  }
  for (const char* part : {"/", "%"}) {
    if (text.find(part) != std::string::npos) errors.push_back(std::string("may not contain '") + part + "'");
  }
}

void check_no_backsteps(const std::string& text, Errors& errors) {
  if (contains(parts_of(text, '/'), "..")) errors.emplace_back("must not contain '..'");
}

void check_descending_path(const std::string& text, Errors& errors) {
  if (text.starts_with('/')) errors.emplace_back("must be a relative path");
  check_no_backsteps(text, errors);
}

void check_local_path(const std::string& text, Errors& errors) {
  check_descending_path(text, errors);
  if (text.starts_with("..") && !text.starts_with("../")) errors.emplace_back("must not start with '..'");
}

// The bytes of an address, 4 or 16; none if it is not one. As Go's sloppy parser, numbers of IPv4 may begin with 0.
std::vector<unsigned char> address_bytes(const std::string& text) {
  std::vector<unsigned char> bytes(16);
  if (text.find(':') != std::string::npos) {
    if (text.size() < 64 && inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) return bytes;
    return {};
  }
  bytes.clear();
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find('.', at), text.size());
    const auto number = base::parse_number<std::uint16_t>(std::string_view(text).substr(at, end - at));
    if (!number || *number > 255 || bytes.size() == 4) return {};
    bytes.push_back(static_cast<unsigned char>(*number));
    at = end + 1;
  }
  return bytes.size() == 4 ? bytes : std::vector<unsigned char>();
}

bool is_mapped(const std::vector<unsigned char>& bytes) {
  return bytes.size() == 16 && std::all_of(bytes.begin(), bytes.begin() + 10, [](auto byte) { return byte == 0; }) &&
         bytes[10] == 0xff && bytes[11] == 0xff;
}

std::string canonical_address(const std::vector<unsigned char>& bytes) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = bytes.size() == 4 ? AF_INET : AF_INET6;
  return inet_ntop(family, bytes.data(), text.data(), text.size()) != nullptr ? text.data() : "";
}

bool has_leading_zeros(const std::string& address) {
  const auto parts = parts_of(address, '.');
  return address.find(':') == std::string::npos &&
         std::ranges::any_of(parts, [](std::string_view part) { return part.size() > 1 && part[0] == '0'; });
}

void check_address(const std::string& text, Errors& errors) {
  if (!address_bytes(text).empty()) return;
  errors.emplace_back("must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)");
}

void check_canonical_address(const std::string& text, Errors& errors) {
  check_address(text, errors);
  const auto bytes = address_bytes(text);
  if (has_leading_zeros(text)) errors.emplace_back("must not have leading 0s");
  if (is_mapped(bytes)) errors.emplace_back("must not be an IPv4-mapped IPv6 address");
  if (!errors.empty() || canonical_address(bytes) == text) return;
  errors.push_back("must be in canonical form (" + base::quote_go(canonical_address(bytes)) + ")");
}

// An address that endpoints may have.
void check_endpoint_address(const std::string& text, Errors& errors) {
  const auto bytes = address_bytes(text);
  if (bytes.empty()) {
    errors.emplace_back("must be a valid IP address");
    return;
  }
  const bool is_v4 = bytes.size() == 4;
  const bool is_zero = std::ranges::all_of(bytes, [](auto byte) { return byte == 0; });
  const bool is_local = is_v4 ? bytes[0] == 127 : canonical_address(bytes) == "::1";
  const bool is_link = is_v4 ? bytes[0] == 169 && bytes[1] == 254 : bytes[0] == 0xfe && (bytes[1] & 0xc0U) == 0x80;
  const bool is_group = is_v4 ? bytes[0] == 224 && bytes[1] == 0 && bytes[2] == 0 : bytes[0] == 0xff && bytes[1] == 2;
  if (is_zero) errors.push_back("may not be unspecified (" + text + ")");
  if (is_local) errors.emplace_back("may not be in the loopback range (127.0.0.0/8, ::1/128)");
  if (is_link) errors.emplace_back("may not be in the link-local range (169.254.0.0/16, fe80::/10)");
  if (is_group) errors.emplace_back("may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)");
}

struct Network {
  std::vector<unsigned char> bytes;  // without the bits beyond the prefix
  std::size_t prefix = 0;
  bool has_more_bits = false;
};

std::optional<Network> network_of(const std::string& text) {
  const auto slash = text.find('/');
  if (slash == std::string::npos) return std::nullopt;
  Network network{.bytes = address_bytes(text.substr(0, slash))};
  const auto prefix = base::parse_number<std::size_t>(std::string_view(text).substr(slash + 1));
  if (network.bytes.empty() || !prefix || *prefix > network.bytes.size() * 8) return std::nullopt;
  network.prefix = *prefix;
  for (std::size_t bit = network.prefix; bit < network.bytes.size() * 8; ++bit) {
    auto& byte = network.bytes[bit / 8];
    const auto mask = static_cast<unsigned char>(0x80U >> (bit % 8));
    network.has_more_bits = network.has_more_bits || (byte & mask) != 0;
    byte = static_cast<unsigned char>(byte & ~mask);
  }
  return network;
}

void check_network(const std::string& text, Errors& errors) {
  if (network_of(text)) return;
  errors.emplace_back("must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)");
}

void check_canonical_network(const std::string& text, Errors& errors) {
  check_network(text, errors);
  const auto network = network_of(text);
  if (!network) return;
  if (has_leading_zeros(text.substr(0, text.find('/')))) {
    errors.emplace_back("must not have leading 0s in IP or prefix length");
  } else if (network->has_more_bits) {
    errors.emplace_back("must not have bits set beyond the prefix length");
  }
  const auto canonical = canonical_address(network->bytes) + "/" + std::to_string(network->prefix);
  if (errors.empty() && canonical != text) {
    errors.push_back("must be in canonical form (" + base::quote_go(canonical) + ")");
  }
}

void check_v4(const std::string& text, Errors& errors) {
  if (address_bytes(text).size() == 16) errors.emplace_back("must be an IPv4 address");
}

void check_v6(const std::string& text, Errors& errors) {
  if (address_bytes(text).size() == 4) errors.emplace_back("must be an IPv6 address");
}

void check_not_address(const std::string& text, Errors& errors) {
  if (!address_bytes(text).empty()) errors.emplace_back("must be a DNS name, not an IP address");
}

void check_host(const std::string& text, Errors& errors) {
  check_format(text.find('*') != std::string::npos ? "wildcard_subdomain" : "dns_subdomain", text, errors);
}

void check_schedule(const std::string& text, Errors& errors) {
  const auto schedule = cron::Schedule::parse(text);
  if (!schedule) errors.push_back(schedule.error().text);
}

void check_time_zone(const std::string& text, Errors& errors) {
  const auto parts = parts_of(text, '/');
  const bool is_wrong = std::ranges::any_of(parts, [](std::string_view part) {
    return part == "." || part == ".." || part.starts_with('-') ||
           !has_form(std::string(part), "[A-Za-z._0-9+-]{1,14}");
  });
  if (is_wrong) {
    errors.push_back("unknown time zone " + text);
    return;
  }
  if (base::to_lower(text) == "local") {
    errors.emplace_back("timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones");
  }
  const auto zone = cron::Zone::find(text);
  if (!zone && text != "Local") errors.push_back(zone.error().text);
}

void check_decimal(const std::string& text, Errors& errors) {
  if (!has_form(text, "0|-?[1-9][0-9]*")) errors.emplace_back("must be a valid decimal integer in canonical form");
}

void check_relaxed_name(const std::string& text, Errors& errors) {
  if (has_form(text, "[ -<>-~]+")) return;
  errors.emplace_back(
      "a valid environment variable name must consist only of printable ASCII characters other than '='");
}

using Check = void (*)(const std::string&, Errors&);

const base::TextMap<std::string_view, Check>& own_formats() {
  static const base::TextMap<std::string_view, Check> kChecks{
      {"label_key", check_label_key},
      {"dns_label", check_dns_label},
      {"port_name", check_port_name},
      {"config_key", check_config_key},
      {"path_segment", check_path_segment},
      {"no_backsteps", check_no_backsteps},
      {"descending_path", check_descending_path},
      {"local_path", check_local_path},
      {"ip", check_address},
      {"canonical_ip", check_canonical_address},
      {"endpoint_ip", check_endpoint_address},
      {"cidr", check_network},
      {"canonical_cidr", check_canonical_network},
      {"not_ip", check_not_address},
      {"v4", check_v4},
      {"v6", check_v6},
      {"host", check_host},
      {"schedule", check_schedule},
      {"time_zone", check_time_zone},
      {"decimal", check_decimal},
      {"env_name", check_relaxed_name},
  };
  return kChecks;
}

}  // namespace

std::vector<std::string> format_errors(std::string_view format, const std::string& text) {
  constexpr std::string_view kLower = "lower_";
  if (format.starts_with(kLower)) return format_errors(format.substr(kLower.size()), base::to_lower(text));
  std::vector<std::string> errors;
  const auto own = own_formats().find(format);
  if (own != own_formats().end()) {
    own->second(text, errors);
  } else {
    check_format(format, text, errors);
  }
  return errors;
}

bool contains_network(const std::string& outer, const std::string& inner) {
  const auto large = network_of(outer);
  auto small = network_of(inner);
  if (!large || !small || large->bytes.size() != small->bytes.size() || large->prefix >= small->prefix) return false;
  auto address = canonical_address(small->bytes) + "/" + std::to_string(large->prefix);
  return network_of(address)->bytes == large->bytes;
}

}  // namespace keelson::sandbox
