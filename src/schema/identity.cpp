#include "keelson/schema/identity.hpp"

#include "keelson/detail/base/text.hpp"

namespace keelson::kube {

namespace {

bool ends_in_any_of(std::string_view word, std::initializer_list<std::string_view> ends) {
  for (const auto end : ends) {
    if (word.ends_with(end)) return true;
  }
  return false;
}

// kubebuilder's rules for plurals, without the irregular words of its library.
std::string plural_of_word(std::string word) {
  if (ends_in_any_of(word, {"s", "x", "z", "ch", "sh"})) return word + "es";
  const bool is_y_after_consonant = word.ends_with('y') && !ends_in_any_of(word, {"ay", "ey", "iy", "oy", "uy"});
  if (is_y_after_consonant) return word.substr(0, word.size() - 1) + "ies";
  return word + "s";
}

}  // namespace

Resource Identity::resource() const {
  const auto name = plural.empty() ? plural_of(kind) : std::string(plural);
  return {group, version, kind, name, scope == Scope::kNamespaced};
}

std::string plural_of(std::string_view kind) { return plural_of_word(base::to_lower(kind)); }

}  // namespace keelson::kube
