#include "src/sandbox/custom/value_place.hpp"

#include <algorithm>

#include "keelson/detail/schema/limits.hpp"
#include "src/sandbox/custom/value_check.hpp"

namespace keelson::sandbox {

std::string Place::text() const {
  if (outer == nullptr) return {};
  auto text = outer->text();
  if (is_index) return text + "[" + std::to_string(index) + "]";
  if (!text.empty()) text += ".";
  return text + std::string(name);
}

bool Findings::is_full() const { return errors.size() >= limits::kFieldErrors; }

void Findings::add(Finding finding) {
  auto is_same = [&finding](const Finding& other) {
    return other.error.field == finding.error.field && other.error.text == finding.error.text;
  };
  if (!is_full() && std::none_of(errors.begin(), errors.end(), is_same)) errors.push_back(std::move(finding));
}

void Findings::merge(Findings other) {
  matches += other.matches;
  if (errors.empty()) {
    errors = std::move(other.errors);
  } else {
    for (auto& error : other.errors) add(std::move(error));
  }
}

void Findings::add_plain(const std::string& text) {
  add({{"FieldValueInvalid", "", "Invalid value: \"\": " + text}, true});
}

void Findings::add_required(const Place& place) {
  add({{"FieldValueRequired", place.text(), "Required value"}, false});
}

void Findings::add_forbidden_property(const Place& place, const std::string& name) {
  auto at = place.text();
  add({{"FieldValueInvalid", at,
        "Invalid value: " + printed_value(Tree(name)) + ": " + at + "." + name + " in body is a forbidden property"},
       false});
}

void Findings::add_invalid(const Place& place, const Tree& value, const std::string& rest, const char* reason) {
  auto at = place.text();
  add({{reason, at, "Invalid value: " + printed_value(value) + ": " + at + rest}, false});
}

}  // namespace keelson::sandbox
