// The conditions in the status of an object, as texts to compare.
#pragma once

#include <string>
#include <string_view>

#include "keelson/json/value.hpp"
#include "keelson/schema/condition.hpp"

namespace keelson::testing {

// The condition of a type in the JSON of an object; absent if there is none.
inline json::View condition_of(json::View object, std::string_view type) {
  for (const auto condition : object.at({"status", "conditions"}).items()) {
    if (condition.find("type").string() == type) return condition;
  }
  return {};
}

// "True AllNodesReady": the status and the reason of the condition; "-" if there is none.
inline std::string condition_text(json::View object, std::string_view type) {
  const auto condition = condition_of(object, type);
  if (condition.is_absent()) return "-";
  return std::string(condition.find("status").string().value_or("")) + " " +
         std::string(condition.find("reason").string().value_or(""));
}
template <class Status>
std::string condition_text(const Status& status, std::string_view type) {
  const auto* condition = kube::find_condition(status.conditions, type);
  return condition == nullptr ? "-" : condition->status + " " + condition->reason;
}

// Empty if there is none.
inline std::string condition_message(json::View object, std::string_view type) {
  return std::string(condition_of(object, type).find("message").string().value_or(""));
}

// "True AllNodesReady All nodes are ready.": the text and the message; "-" if there is none.
inline std::string condition_with_message(json::View object, std::string_view type) {
  const auto text = condition_text(object, type);
  return text == "-" ? text : text + " " + condition_message(object, type);
}

}  // namespace keelson::testing
