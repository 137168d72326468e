#include "src/sandbox/validation/names.hpp"

#include <algorithm>

#include "keelson/detail/base/text.hpp"

namespace keelson::sandbox {

namespace {

bool is_lower_or_digit(char c) { return (c >= 'a' && c <= 'z') || base::is_digit(c); }

bool is_subdomain(std::string_view name) {
  bool at_start = true;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool at_end = i + 1 == name.size() || name[i + 1] == '.';
    const bool is_fine = is_lower_or_digit(c) || (c == '-' && !at_start && !at_end) || (c == '.' && !at_start);
    if (!is_fine) return false;
    at_start = c == '.';
  }
  return !name.empty() && !at_start;
}

bool is_label_1035(std::string_view name) {
  return !name.empty() && name[0] >= 'a' && name[0] <= 'z' && name.back() != '-' &&
         std::ranges::all_of(name, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

bool is_label_1123(std::string_view name) {
  return !name.empty() && name.size() <= 63 && is_lower_or_digit(name.front()) && is_lower_or_digit(name.back()) &&
         std::ranges::all_of(name, [](char c) { return is_lower_or_digit(c) || c == '-'; });
}

std::string too_long(std::string_view name, std::size_t most) {
  return name.size() <= most ? "" : "must be no more than " + std::to_string(most) + " characters";
}

std::string both(std::string one, const std::string& other) {
  if (!one.empty() && !other.empty()) one += ",";
  return one + other;
}

}  // namespace

std::string label_error(std::string_view name) {
  return both(too_long(name, 63),
              is_label_1035(name)
                  ? ""
                  : "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "
                    "alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', "
                    "regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')");
}

std::string label_1123_error(std::string_view name) {
  return is_label_1123(name)
             ? ""
             : "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start "
               "and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is "
               "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
}

std::string kind_error(std::string_view kind) {
  const auto wrong = label_error(base::to_lower(kind));
  return wrong.empty() ? "" : "may have mixed case, but should otherwise match: " + wrong;
}

std::string subdomain_error(std::string_view name) {
  return both(
      too_long(name, 253),
      is_subdomain(name)
          ? ""
          : "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must "
            "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is "
            "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')");
}

}  // namespace keelson::sandbox
