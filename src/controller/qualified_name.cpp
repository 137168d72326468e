#include "src/controller/qualified_name.hpp"

#include <algorithm>

namespace keelson::controller {

namespace {

constexpr std::size_t kNameBytes = 63;
constexpr std::size_t kPrefixBytes = 253;

bool is_lower_or_digit(char letter) { return (letter >= 'a' && letter <= 'z') || (letter >= '0' && letter <= '9'); }
bool is_alphanumeric(char letter) { return is_lower_or_digit(letter) || (letter >= 'A' && letter <= 'Z'); }

bool is_name(std::string_view name) {
  auto is_allowed = [](char letter) {
    return is_alphanumeric(letter) || letter == '-' || letter == '_' || letter == '.';
  };
  return !name.empty() && name.size() <= kNameBytes && is_alphanumeric(name.front()) && is_alphanumeric(name.back()) &&
         std::all_of(name.begin(), name.end(), is_allowed);
}

bool is_dns_label(std::string_view label) {
  auto is_allowed = [](char letter) { return is_lower_or_digit(letter) || letter == '-'; };
  return !label.empty() && label.front() != '-' && label.back() != '-' &&
         std::all_of(label.begin(), label.end(), is_allowed);
}

bool is_dns_subdomain(std::string_view domain) {
  if (domain.size() > kPrefixBytes) return false;
  for (auto dot = domain.find('.'); dot != std::string_view::npos; dot = domain.find('.')) {
    if (!is_dns_label(domain.substr(0, dot))) return false;
    domain.remove_prefix(dot + 1);
  }
  return is_dns_label(domain);
}

}  // namespace

bool is_qualified_name(std::string_view text) {
  auto slash = text.find('/');
  if (slash == std::string_view::npos) return is_name(text);
  return is_dns_subdomain(text.substr(0, slash)) && is_name(text.substr(slash + 1));
}

}  // namespace keelson::controller
