#include "test/cluster/harness/listeners.hpp"

#include <arpa/inet.h>

#include <array>
#include <cstdint>
#include <fstream>
#include <sstream>

namespace keelson::testing {

namespace {

// The kernel prints an address as words in the byte order of the machine, eight digits each.
std::string address_of(const std::string& digits) {
  std::array<std::uint32_t, 4> words{};
  for (std::size_t at = 0; at + 8 <= digits.size() && at < 32; at += 8) {
    words[at / 8] = static_cast<std::uint32_t>(std::stoul(digits.substr(at, 8), nullptr, 16));
  }
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = digits.size() == 8 ? AF_INET : AF_INET6;
  ::inet_ntop(family, words.data(), text.data(), text.size());
  return text.data();
}

}  // namespace

std::vector<std::string> listening_on(int port) {
  const std::string kListens = "0A";
  std::vector<std::string> addresses;
  for (const auto* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream columns(line);
      std::string number, local, remote, state;
      columns >> number >> local >> remote >> state;
      const auto colon = local.find(':');
      if (state != kListens || colon == std::string::npos) continue;
      if (std::stoi(local.substr(colon + 1), nullptr, 16) == port) {
        addresses.push_back(address_of(local.substr(0, colon)));
      }
    }
  }
  return addresses;
}

}  // namespace keelson::testing
