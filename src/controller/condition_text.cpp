#include "src/controller/condition_text.hpp"

#include <utility>

#include "keelson/detail/kube/fields.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::controller {

std::vector<kube::Condition> conditions_of(const kube::Object& object) {
  std::vector<kube::Condition> conditions;
  const auto fields = kube::Fields::of(object);
  if (!fields) return conditions;
  for (const json::View stored : fields->root().find("status").find("conditions").items()) {
    kube::Condition condition;
    const auto text = [&](const char* name) { return std::string(stored.find(name).string().value_or("")); };
    condition.type = text("type");
    condition.status = text("status");
    condition.reason = text("reason");
    condition.message = text("message");
    const auto changed = kube::parse_time(text("lastTransitionTime"));
    if (changed) condition.last_transition_time = *changed;
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

std::string text_since(const kube::Condition& condition) {
  const auto text = condition.reason + ": " + condition.message;
  if (condition.last_transition_time == kube::Time()) return text;
  return text + " (since " + kube::format_time(condition.last_transition_time) + ")";
}

}  // namespace keelson::controller
