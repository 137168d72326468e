#include "src/sandbox/custom/value_place.hpp"

#include <algorithm>

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
    return other.error.path == finding.error.path && other.error.detail == finding.error.detail;
  };
  if (!is_full() && std::ranges::none_of(errors, is_same)) errors.push_back(std::move(finding));
}

void Findings::merge(Findings other) {
  matches += other.matches;
  if (errors.empty()) {
    errors = std::move(other.errors);
  } else {
    for (auto& error : other.errors) add(std::move(error));
  }
}

void Findings::add_plain(const std::string& text) { add({{FieldReason::kInvalid, "", R"("")", text}, true}); }

void Findings::add_required(const Place& place) { add({{FieldReason::kRequired, place.text()}, false}); }

void Findings::add_forbidden_property(const Place& place, const std::string& name) {
  auto at = place.text();
  add({{FieldReason::kInvalid, at, printed_value(Tree(name)), at + "." + name + " in body is a forbidden property"},
       false});
}

void Findings::add_invalid(const Place& place, const Tree& value, const std::string& rest, FieldReason reason) {
  auto at = place.text();
  add({{reason, at, printed_value(value), at + rest}, false});
}

}  // namespace keelson::sandbox
