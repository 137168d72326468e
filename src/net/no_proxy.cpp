#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/network_v4.hpp>
#include <boost/asio/ip/network_v6.hpp>
#include <boost/system/error_code.hpp>
#include <optional>
#include <string>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/net/proxy.hpp"
#include "src/net/host_port.hpp"

namespace keelson::net {

namespace {

namespace ip = boost::asio::ip;
using boost::system::error_code;

// An IPv4 address equals its form mapped to IPv6 (Go's net.IP).
std::optional<ip::address> unmapped_address(const std::string& text) {
  error_code failed;
  auto address = ip::make_address(text, failed);
  if (failed) return std::nullopt;
  if (address.is_v6() && address.to_v6().is_v4_mapped()) return ip::make_address_v4(ip::v4_mapped, address.to_v6());
  return address;
}

struct Target {
  std::string host;  // in lower case
  std::string port;
  std::optional<ip::address> address;
};

bool fits_port(const std::string& wanted, const Target& target) { return wanted.empty() || wanted == target.port; }

// nullopt if the entry is not a CIDR block.
std::optional<bool> fits_block(const std::string& entry, const Target& target) {
  error_code failed;
  auto v4 = ip::make_network_v4(entry, failed);
  if (!failed) {
    if (!target.address || !target.address->is_v4()) return false;
    auto hosts = ip::network_v4(target.address->to_v4(), v4.prefix_length());
    return hosts.network() == v4.network();
  }
  auto v6 = ip::make_network_v6(entry, failed);
  if (failed) return std::nullopt;
  if (!target.address || !target.address->is_v6()) return false;
  auto hosts = ip::network_v6(target.address->to_v6(), v6.prefix_length());
  return hosts.network() == v6.network();
}

// ".example.com" matches its subdomains, "example.com" also itself. A name never matches an address.
bool fits_name(std::string name, const std::string& port, const Target& target) {
  if (target.address) return false;
  if (name.starts_with("*.")) name.erase(0, 1);
  bool with_itself = name.front() != '.';
  if (with_itself && target.host == name) return fits_port(port, target);
  if (with_itself) name.insert(0, 1, '.');
  return target.host.ends_with(name) && fits_port(port, target);
}

bool fits(const std::string& entry, const Target& target) {
  if (entry == "*") return true;
  if (auto in_block = fits_block(entry, target)) return *in_block;
  HostPort parts;
  auto split = split_host_port(entry, Port::kRequired);
  if (split) {
    parts = std::move(*split);
  } else {
    parts.host = entry;
  }
  if (parts.host.empty()) return false;
  if (auto address = unmapped_address(parts.host)) return target.address == address && fits_port(parts.port, target);
  return fits_name(parts.host, parts.port, target);
}

}  // namespace

bool bypasses_proxy(std::string_view no_proxy, std::string_view host, std::string_view port) {
  Target target{base::to_lower(host), std::string(port), unmapped_address(std::string(host))};
  if (host == "localhost" || (target.address && target.address->is_loopback())) return true;
  for (std::size_t begin = 0; begin < no_proxy.size();) {
    auto entry = no_proxy.substr(begin, no_proxy.find(',', begin) - begin);
    begin += entry.size() + 1;
    entry = base::trim(entry);
    if (!entry.empty() && fits(base::to_lower(entry), target)) return true;
  }
  return false;
}

}  // namespace keelson::net
