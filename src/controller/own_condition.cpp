#include "keelson/controller/own_condition.hpp"

namespace keelson::controller {

std::vector<std::string> all_conditions(std::span<const std::string_view> own) {
  std::vector<std::string> all{"Ready"};
  all.insert(all.end(), own.begin(), own.end());
  all.insert(all.end(), {"Reconciling", "Stalled", std::string(kConflictCondition), std::string(kPausedCondition)});
  return all;
}

}  // namespace keelson::controller
