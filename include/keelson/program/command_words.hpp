// The words after a command, `manager doctor --output json`: its arguments, and its flags in Go's syntax.
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::program {

struct CommandFlag {
  std::string_view name;  // "output", without dashes
  enum class Type { kText, kBool } type = Type::kText;
};

struct CommandWords {
  std::vector<std::string> arguments;                     // the words that are not flags, in their order
  std::map<std::string, std::string, std::less<>> flags;  // the given ones; a bool has "true" or "false"

  // The value of a flag, or `otherwise` if it was not given.
  [[nodiscard]] std::string flag(std::string_view name, std::string_view otherwise = "") const;
  [[nodiscard]] bool is_set(std::string_view name) const { return flag(name) == "true"; }
};

// Flags have one or two dashes and may stand before, between and after the arguments; the value follows after `=` or as
// the next word (a bool only after `=`). All words after `--` are arguments. Errors have the texts of Go's flag
// package: "flag provided but not defined: -x", with a suggestion if a known flag is similar.
[[nodiscard]] Result<CommandWords> parse_command_words(const std::vector<std::string>& words,
                                                       std::span<const CommandFlag> known);

// The value of `--output`, which is "text" unless it is given: true for json. kInvalid for any other value.
[[nodiscard]] Result<bool> wants_json(const CommandWords& words);

}  // namespace keelson::program
