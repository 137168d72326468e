// The one table of flags: parsing, --help and the documentation are read from it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/program/flags.hpp"

namespace keelson::program {

enum class FlagType { kBool, kString, kInt, kDuration, kList, kValue };

// Whether the text of a kString flag is a list with commas, which a file may have as a list.
enum class Commas { kNone, kSeparate };

// What the flags say before defaults that depend on other flags are filled in.
struct FlagDraft {
  Options options;
  std::string_view name;  // of the flag that is being set
  bool watch_namespaces_given = false;
  bool zap_devel = true;
  std::optional<LogOptions::Encoder> zap_encoder;
  std::optional<int> zap_verbosity;
};

struct Flag {
  std::string_view name;
  FlagType type;
  std::string default_text;  // as Go prints it; kValue: empty when it depends on --zap-devel
  std::string_view help;
  // Stores a value; the error is the part of Go's message after the colon.
  Result<void> (*set)(FlagDraft& draft, std::string_view text);
  Commas commas = Commas::kNone;
};

// With what the operator brings, which must outlive it. Sorted by name, as Go prints flags.
[[nodiscard]] std::vector<Flag> flag_table(const Syntax& syntax = {});

[[nodiscard]] const Flag* find_flag(std::span<const Flag> table, std::string_view name);

// The error is Go's, with the flag's name.
[[nodiscard]] Result<void> set_flag(const Flag& flag, std::string_view value, FlagDraft& draft);

}  // namespace keelson::program
