#include "keelson/kube/client.hpp"

#include <algorithm>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/kube/limits.hpp"

namespace keelson::kube {

namespace {

constexpr std::string_view kKeelson = "keelson";

bool is_lower_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_name_part(char c) { return is_lower_letter(c) || (c >= '0' && c <= '9') || c == '-'; }

bool is_valid(std::string_view name) {
  return !name.empty() && name.size() <= limits::kOperatorNameBytes && is_lower_letter(name.front()) &&
         name.back() != '-' && std::ranges::all_of(name, is_name_part);
}

}  // namespace

OperatorName::OperatorName() : text_(kKeelson) {}

OperatorName::OperatorName(std::string text) : text_(std::move(text)) {
  if (is_valid(text_)) return;
  throw base::Misuse("invalid operator name " + base::quote_go(text_) +
                     ": the first argument of keelson::run (or of keelson::Operator) is at most " +
                     std::to_string(limits::kOperatorNameBytes) +
                     " lower-case letters, digits and dashes, with a letter first and no dash last, for example "
                     "\"greeter\"");
}

bool OperatorName::is_keelson() const { return text_ == kKeelson; }

std::string OperatorName::with(std::string_view suffix) const { return text_ + "-" + std::string(suffix); }

std::string OperatorName::annotation(std::string_view key) const {
  return (is_keelson() ? "" : text_ + ".") + "keelson.dev/" + std::string(key);
}

}  // namespace keelson::kube
