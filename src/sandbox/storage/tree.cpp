#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

const Tree* condition_of(const Tree& object, std::string_view type) {
  for (const auto& condition : object.items_at({"status", "conditions"})) {
    if (condition.text_at({"type"}) == type) return &condition;
  }
  return nullptr;
}

bool has_condition(const Tree& object, std::string_view type) {
  const Tree* condition = condition_of(object, type);
  return condition != nullptr && condition->text_at({"status"}) == "True";
}

}  // namespace keelson::sandbox
