// A number with its noun, in the singular for one: "1 key", "3 keys", "0 keys".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace keelson::base {

// `noun` is the singular of a noun whose plural ends with "s".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view noun) {
  auto text = std::to_string(count) + " ";
  text += noun;
  if (count != 1) text += "s";
  return text;
}

// The form of a word that agrees with `count`: counted(1, "key") + singular_or_plural(1, " is", " are").
[[nodiscard]] constexpr const char* singular_or_plural(std::uint64_t count, const char* singular, const char* plural) {
  return count == 1 ? singular : plural;
}

}  // namespace keelson::base
