// The single table of flags, from which parsing, --help and the documentation follow. The defaults are those of
// Options (keelson/detail/program/flags.hpp), where each flag has a member.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/detail/program/flags.hpp"

namespace keelson::program {

enum class FlagType { kBool, kString, kInt, kDuration, kList, kValue };

// kSeparate: the text of a kString flag is a list with commas; the file of --config may have a YAML list.
enum class Commas { kNone, kSeparate };

// The values of the flags before the defaults that depend on other flags are set.
struct FlagDraft {
  Options options;
  std::string_view name;                                         // of the flag that is currently set
  zpages::FlagSource source = zpages::FlagSource::kCommandLine;  // of the flags that are currently set
  std::map<std::string, std::pair<std::string, zpages::FlagSource>, std::less<>> given;  // texts and sources by name
  bool watch_namespaces_given = false;
  bool zap_devel = true;
  std::optional<LogOptions::Encoder> zap_encoder;
  std::optional<int> zap_verbosity;
};

struct Flag {
  std::string_view name;
  FlagType type;
  std::string default_text;  // as Go prints it; empty if it depends on other flags
  std::string_view help;
  // Stores a value; the error is the part of Go's message after the colon.
  Result<void> (*set)(FlagDraft& draft, std::string_view text);
  Commas commas = Commas::kNone;
};

// Includes the flags of the operator in `syntax`, which must outlive the result. Sorted by name, as Go prints flags.
[[nodiscard]] std::vector<Flag> flag_table(const Syntax& syntax = {});

// The table as room cli parses it; refers to `table`.
[[nodiscard]] std::vector<cli::Flag> rows_of(std::span<const Flag> table);

// All flags at their defaults, with the operator's name in those that contain it.
[[nodiscard]] FlagDraft default_draft(const kube::OperatorName& name);

[[nodiscard]] const Flag* find_flag(std::span<const Flag> table, std::string_view name);

// The word for a value of the type: "string". Empty for a bool, and "value" for types that are not Go's.
[[nodiscard]] std::string_view type_name(FlagType type);

// The error has the text of Go's flag package, with the name of the flag. The value of a bool is "true" or "false".
[[nodiscard]] Result<void> set_flag(const Flag& flag, std::string_view value, FlagDraft& draft);

}  // namespace keelson::program
