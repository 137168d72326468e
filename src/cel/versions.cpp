#include "src/cel/versions.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/text.hpp"
#include "src/cel/functions.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;
using TextViews = std::vector<std::string_view>;

struct Version {
  std::array<std::uint64_t, 3> numbers{};
  TextViews prerelease;
};

TextViews split_at(std::string_view text, char separator, std::size_t most = std::string_view::npos) {
  TextViews parts;
  while (parts.size() + 1 < most) {
    const auto at = text.find(separator);
    if (at == std::string_view::npos) break;
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + 1);
  }
  parts.push_back(text);
  return parts;
}

bool has_digits_only(std::string_view text) { return std::ranges::all_of(text, base::is_digit); }

bool is_identifier(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return base::is_digit(c) || (base::to_lower(c) >= 'a' && base::to_lower(c) <= 'z') || c == '-';
  });
}

Error wrong(const std::string& why, std::string_view text) { return invalid_error(why + " " + base::quote_go(text)); }

Result<std::uint64_t> version_number(std::string_view text, const std::string& name) {
  auto lower = name;
  lower[0] = base::to_lower(lower[0]);
  if (!has_digits_only(text)) return wrong("Invalid character(s) found in " + lower + " number", text);
  if (text.size() > 1 && text[0] == '0') return wrong(name + " number must not contain leading zeroes", text);
  const auto number = base::parse_number<std::uint64_t>(text);
  if (number) return *number;
  return invalid_error("strconv.ParseUint: parsing " + base::quote_go(text) +
                       (text.empty() ? ": invalid syntax" : ": value out of range"));
}

Result<void> check_prerelease(std::string_view text) {
  if (text.empty()) return invalid_error("Prerelease is empty");
  if (has_digits_only(text)) {
    const bool has_zeros = text.size() > 1 && text[0] == '0';
    if (has_zeros) return wrong("Numeric PreRelease version must not contain leading zeroes", text);
  } else if (!is_identifier(text)) {
    return wrong("Invalid character(s) found in prerelease", text);
  }
  return {};
}

Result<Version> parse_version(std::string_view text) {
  if (text.empty()) return invalid_error("Version string empty");
  const auto parts = split_at(text, '.', 3);
  if (parts.size() != 3) return invalid_error("No Major.Minor.Patch elements found");
  Version version;
  KEELSON_LET(version.numbers[0], version_number(parts[0], "Major"));
  KEELSON_LET(version.numbers[1], version_number(parts[1], "Minor"));
  auto patch = parts[2];
  const auto plus = patch.find('+');
  const auto build = plus == std::string_view::npos ? TextViews() : split_at(patch.substr(plus + 1), '.');
  patch = patch.substr(0, plus);
  const auto dash = patch.find('-');
  if (dash != std::string_view::npos) version.prerelease = split_at(patch.substr(dash + 1), '.');
  KEELSON_LET(version.numbers[2], version_number(patch.substr(0, dash), "Patch"));
  for (const auto one : version.prerelease) KEELSON_TRY(check_prerelease(one));
  for (const auto one : build) {
    if (one.empty()) return invalid_error("Build meta data is empty");
    if (!is_identifier(one)) return wrong("Invalid character(s) found in build meta data", one);
  }
  return version;
}

// Without a leading v and leading zeros, and with all three numbers.
Result<std::string> normalized(std::string_view text) {
  if (text.starts_with('v')) text.remove_prefix(1);
  std::vector<std::string> parts;
  for (auto part : split_at(text, '.', 3)) {
    const bool is_long = part.size() > 1;
    while (is_long && part.starts_with('0')) part.remove_prefix(1);
    const bool needs_zero = is_long && (part.empty() || !base::is_digit(part[0]));
    parts.push_back((needs_zero ? "0" : "") + std::string(part));
  }
  if (parts.size() < 3 && parts.back().find_first_of("+-") != std::string::npos) {
    return invalid_error("short version cannot contain PreRelease/Build meta data");
  }
  while (parts.size() < 3) parts.emplace_back("0");
  return base::join(parts, ".");
}

int compared(const auto& one, const auto& other) { return one < other ? -1 : other < one ? 1 : 0; }

int compare_prerelease(std::string_view one, std::string_view other) {
  const bool is_number = has_digits_only(one);
  if (is_number != has_digits_only(other)) return is_number ? -1 : 1;
  if (is_number && one.size() != other.size()) return compared(one.size(), other.size());
  return compared(one, other);
}

Value to_version(const Values& a, Budget&) {
  auto text = a[0].text();
  if (a.size() > 1 && a[1].is_true()) {
    auto normal = normalized(text);
    if (!normal) return Value::error(normal.error().text);
    text = std::move(*normal);
  }
  const auto parsed = parse_version(text);
  return parsed ? Value::of_text(Kind::kVersion, std::move(text)) : Value::error(parsed.error().text);
}
Value is_version(const Values& a, Budget& budget) { return Value::of_bool(!to_version(a, budget).is_error()); }

template <std::size_t kPart>
Value number_of_version(const Values& a, Budget&) {
  const auto version = parse_version(a[0].text());
  return Value::of_int(version ? static_cast<std::int64_t>(version->numbers[kPart]) : 0);
}

Value is_older(const Values& a, Budget&) { return Value::of_bool(compare_versions(a[0].text(), a[1].text()) < 0); }
Value is_newer(const Values& a, Budget&) { return Value::of_bool(compare_versions(a[0].text(), a[1].text()) > 0); }
Value version_order(const Values& a, Budget&) { return Value::of_int(compare_versions(a[0].text(), a[1].text())); }

}  // namespace

int compare_versions(std::string_view one, std::string_view other) {
  const auto left = parse_version(one);
  const auto right = parse_version(other);
  if (!left || !right) return 0;
  if (left->numbers != right->numbers) return compared(left->numbers, right->numbers);
  // A version is older than itself without a prerelease.
  if (left->prerelease.empty() || right->prerelease.empty()) {
    return compared(left->prerelease.empty(), right->prerelease.empty());
  }
  const auto count = std::min(left->prerelease.size(), right->prerelease.size());
  for (std::size_t i = 0; i < count; ++i) {
    const auto order = compare_prerelease(left->prerelease[i], right->prerelease[i]);
    if (order != 0) return order;
  }
  return compared(left->prerelease.size(), right->prerelease.size());
}

std::vector<Signature> version_signatures() {
  return {
      {"semver", false, "s", "V", to_version, CallCost::kParse},
      {"semver", false, "sb", "V", to_version, CallCost::kParse},
      {"isSemver", false, "s", "b", is_version, CallCost::kParse},
      {"isSemver", false, "sb", "b", is_version, CallCost::kParse},
      {"major", true, "V", "i", number_of_version<0>},
      {"minor", true, "V", "i", number_of_version<1>},
      {"patch", true, "V", "i", number_of_version<2>},
      {"isLessThan", true, "VV", "b", is_older},
      {"isGreaterThan", true, "VV", "b", is_newer},
      {"compareTo", true, "VV", "i", version_order},
  };
}

}  // namespace keelson::cel
