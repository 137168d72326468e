#include "src/controller/condition_scan.hpp"

#include <algorithm>
#include <limits>

#include "keelson/detail/json/reader.hpp"

namespace keelson::controller {

namespace {

// The depths of the members in {"status": {"conditions": [{"type": …}]}}.
constexpr std::size_t kRootDepth = 1;
constexpr std::size_t kStatusDepth = 2;
constexpr std::size_t kConditionDepth = 4;

ConditionStatus status_of(std::string_view text) {
  if (text == "True") return ConditionStatus::kTrue;
  return text == "False" ? ConditionStatus::kFalse : ConditionStatus::kUnknown;
}

}  // namespace

ConditionScan::ConditionScan(std::vector<std::string> types)
    : types_(std::move(types)),
      projection_(json::Projection::of({{"status", "conditions", "type"}, {"status", "conditions", "status"}})) {}

void ConditionScan::read(std::string_view object, std::vector<ConditionStatus>& out) {
  out.assign(types_.size(), ConditionStatus::kMissing);
  projected_.clear();
  if (!projection_.apply(object, projected_)) return;
  json::Reader reader(projected_);
  reader.allow(std::numeric_limits<std::size_t>::max());
  bool in_status = false;
  bool in_conditions = false;
  std::string_view member;
  Current current;
  for (auto token = reader.next(); token != json::Token::kEnd && token != json::Token::kFailed; token = reader.next()) {
    const auto depth = reader.depth();
    if (token == json::Token::kName) {
      member = reader.body();
      if (depth == kRootDepth) in_conditions = false, in_status = member == "status";
      if (depth == kStatusDepth) in_conditions = in_status && member == "conditions";
    }
    if (!in_conditions) continue;
    if (token == json::Token::kBeginObject && depth == kConditionDepth) current = {};
    if (token == json::Token::kString && depth == kConditionDepth) set(current, member, reader.body());
    const bool ends = token == json::Token::kEndObject && depth == kConditionDepth - 1;
    if (ends && current.type != kOther) out[current.type] = current.status;
  }
}

void ConditionScan::set(Current& current, std::string_view member, std::string_view value) const {
  if (member == "status") current.status = status_of(value);
  if (member != "type") return;
  const auto found = std::ranges::find(types_, value);
  current.type = found == types_.end() ? kOther : static_cast<std::size_t>(found - types_.begin());
}

}  // namespace keelson::controller
