// The one table of flags: parsing, --help and the documentation are read from it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "keelson/program/flags.hpp"

namespace keelson::program {

enum class FlagType { kBool, kString, kInt, kDuration, kValue };

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
  std::string_view default_text;  // as Go prints it; kValue: empty when it depends on --zap-devel
  std::string_view help;
  // Stores a value; the error is the part of Go's message after the colon.
  Result<void> (*set)(FlagDraft& draft, std::string_view text);
};

// With what the controllers bring, which must outlive it. Sorted by name, as Go prints flags.
[[nodiscard]] std::vector<Flag> flag_table(const std::vector<controller::NumberFlag>& of_controllers = {});

[[nodiscard]] const Flag* find_flag(std::span<const Flag> table, std::string_view name);

}  // namespace keelson::program
