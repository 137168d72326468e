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

// The form of a verb for `count` things: counted(1, "key") + verb_for(1, " is", " are").
[[nodiscard]] constexpr std::string_view verb_for(std::uint64_t count, std::string_view one, std::string_view many) {
  return count == 1 ? one : many;
}

}  // namespace keelson::base
