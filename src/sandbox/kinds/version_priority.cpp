#include "src/sandbox/kinds/version_priority.hpp"

#include <charconv>
#include <optional>
#include <string_view>
#include <tuple>

namespace keelson::sandbox {

namespace {

// Removes and returns the number at the start of `text`.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

struct Parsed {
  int stability = 0;  // 3: generally available, 2: beta, 1: alpha, 0: no version of Kubernetes' form
  std::uint64_t major = 0;
  std::uint64_t minor = 0;
  [[nodiscard]] auto rank() const { return std::tie(stability, major, minor); }
};

Parsed parse(std::string_view text) {
  Parsed version;
  if (!text.starts_with("v")) return {};
  text.remove_prefix(1);
  auto major = take_number(text);
  if (!major) return {};
  version.major = *major;
  version.stability = 3;
  if (text.empty()) return version;
  version.stability = text.starts_with("beta") ? 2 : 1;
  if (version.stability == 1 && !text.starts_with("alpha")) return {};
  text.remove_prefix(version.stability == 2 ? 4 : 5);
  auto minor = take_number(text);
  if (!minor || !text.empty()) return {};
  version.minor = *minor;
  return version;
}

}  // namespace

bool has_priority(const std::string& left, const std::string& right) {
  auto one = parse(left);
  auto two = parse(right);
  if (one.stability == 0 && two.stability == 0) return left < right;
  return one.rank() > two.rank();
}

}  // namespace keelson::sandbox
