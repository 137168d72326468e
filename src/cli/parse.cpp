#include <algorithm>
#include <array>
#include <optional>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/nearest.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/cli/values.hpp"

namespace keelson::cli {

namespace {

// The parts of "-name" or "--name", with or without "=value".
struct FlagWord {
  std::string_view name;
  std::optional<std::string_view> value;
};

// "-" alone and words without a dash are not flags.
bool is_flag(std::string_view word) { return word.size() >= 2 && word[0] == '-'; }

Result<FlagWord> take_apart(std::string_view word) {
  const auto name = word.substr(word.starts_with("--") ? 2 : 1);
  if (name.empty() || name[0] == '-' || name[0] == '=') return invalid_error("bad flag syntax: " + std::string(word));
  const auto equals = name.find('=');
  if (equals == std::string_view::npos) return FlagWord{name, std::nullopt};
  return FlagWord{name.substr(0, equals), name.substr(equals + 1)};
}

Error unknown_flag(std::span<const Flag> flags, std::string_view name, Form form) {
  std::vector<std::string_view> names{"help"};
  if (form == Form::kProgram) names.emplace_back("version");
  for (const auto& flag : flags) names.push_back(flag.name);
  return invalid_error("flag provided but not defined: -" + std::string(name) + suggestion(name, names, "--"));
}

// The value of a flag as it is stored.
Result<std::string> checked(const Flag& flag, std::string_view value) {
  if (flag.value.empty()) {
    const auto parsed = parse_bool(value);
    if (parsed) return std::string(*parsed ? "true" : "false");
    return invalid_error("invalid boolean value " + base::quote_go(value) + " for -" + std::string(flag.name) + ": " +
                         parsed.error().text);
  }
  if (flag.value.find('|') != std::string_view::npos) {
    KEELSON_TRY(check_choice(flag.name, value, flag.value));
  }
  return std::string(value);
}

// Reads the words one after another.
class Reader {
 public:
  Reader(const std::vector<std::string>& words, std::span<const Flag> flags, Form form)
      : words_(words), flags_(flags), form_(form) {}

  Result<Words> read() {
    while (next_ < words_.size() && !is_done()) {
      const auto& word = words_[next_];
      if (!is_flag(word)) {
        if (form_ == Form::kProgram) break;
        read_.arguments.push_back(words_[next_++]);
        continue;
      }
      ++next_;
      read_.has_dashes = word == "--";
      if (read_.has_dashes) break;
      KEELSON_TRY(read_flag(word));
    }
    if (!is_done()) read_.arguments.insert(read_.arguments.end(), at(next_), words_.end());
    return std::move(read_);
  }

 private:
  [[nodiscard]] bool is_done() const { return read_.wants_help || read_.wants_version; }
  [[nodiscard]] std::vector<std::string>::const_iterator at(std::size_t index) const {
    return words_.begin() + static_cast<std::ptrdiff_t>(index);
  }

  Result<void> read_flag(std::string_view word) {
    KEELSON_LET(auto given, take_apart(word));
    const auto flag = std::ranges::find_if(flags_, [&](const Flag& row) { return row.name == given.name; });
    if (flag == flags_.end()) {
      read_.wants_help = given.name == "help" || given.name == "h";
      read_.wants_version = form_ == Form::kProgram && given.name == "version";
      if (is_done()) return {};
      return unknown_flag(flags_, given.name, form_);
    }
    if (!given.value && flag->value.empty()) given.value = "true";
    if (!given.value && next_ < words_.size()) given.value = words_[next_++];
    if (!given.value) return invalid_error("flag needs an argument: -" + std::string(flag->name));
    KEELSON_LET(auto value, checked(*flag, *given.value));
    read_.flags.push_back({flag->name, std::move(value)});
    return {};
  }

  const std::vector<std::string>& words_;
  std::span<const Flag> flags_;
  Form form_;
  std::size_t next_ = 0;
  Words read_;
};

}  // namespace

const std::string* Words::given(std::string_view name) const {
  const auto found =
      std::find_if(flags.rbegin(), flags.rend(), [&](const GivenFlag& flag) { return flag.name == name; });
  return found == flags.rend() ? nullptr : &found->value;
}

std::string Words::flag(std::string_view name, std::string_view otherwise) const {
  const auto* value = given(name);
  return value == nullptr ? std::string(otherwise) : *value;
}

Result<Words> parse(const std::vector<std::string>& words, std::span<const Flag> flags, Form form) {
  return Reader(words, flags, form).read();
}

bool asks_for_help(std::string_view word) { return word == "-h" || word == "-help" || word == "--help"; }

Error invalid_value(std::string_view flag, std::string_view value, std::string_view reason) {
  return invalid_error("invalid value " + base::quote_go(value) + " for flag -" + std::string(flag) + ": " +
                       std::string(reason));
}

Result<void> check_choice(std::string_view flag, std::string_view value, std::string_view choices) {
  std::string valid;
  for (auto rest = choices; !rest.empty();) {
    const auto choice = rest.substr(0, rest.find('|'));
    if (choice == value) return {};
    rest.remove_prefix(std::min(choice.size() + 1, rest.size()));
    if (!valid.empty()) valid += rest.empty() ? " or " : ", ";
    valid += choice;
  }
  return invalid_value(flag, value, "must be " + valid);
}

Error unexpected_argument(std::string_view word) {
  return invalid_error("unexpected argument " + base::quote_go(word));
}

Error unknown_command(std::string_view word, const std::vector<std::string_view>& known) {
  return invalid_error("unknown command " + base::quote_go(word) + suggestion(word, known));
}

std::string suggestion(std::string_view word, const std::vector<std::string_view>& known, std::string_view dashes) {
  const auto meant = base::nearest(word, known);
  return meant ? "\ndid you mean " + std::string(dashes) + std::string(*meant) + "?" : "";
}

}  // namespace keelson::cli
