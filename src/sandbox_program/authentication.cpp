#include "src/sandbox_program/authentication.hpp"

namespace keelson::sandbox_program {

namespace {

bool is_same(std::string_view given, std::string_view expected) {
  unsigned differing = given.size() == expected.size() ? 0 : 1;
  for (std::size_t i = 0; i < given.size(); ++i) {
    differing |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(expected[i % expected.size()]);
  }
  return differing == 0;
}

}  // namespace

std::optional<sandbox::UserInfo> user_of(std::string_view given, const std::string& token) {
  if (!is_same(given, token)) return std::nullopt;
  return sandbox::user_named(sandbox::kAdministrator);
}

}  // namespace keelson::sandbox_program
