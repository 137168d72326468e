#include "keelson/detail/json/member_index.hpp"

#include <algorithm>

#include "src/json/members.hpp"

namespace keelson::json {

namespace {
// Up to here a search is as fast as an index, and allocates nothing.
constexpr std::size_t kFewMembers = 16;
}  // namespace

MemberIndex::MemberIndex(View object) : object_(object) {
  if (object.is_object() && object.size() > kFewMembers) sorted_ = unique_members(object);
}

View MemberIndex::find(std::string_view name) const {
  if (sorted_.empty()) return object_.find(name);
  const auto found = std::ranges::lower_bound(sorted_, name, {}, &Member::name);
  return found != sorted_.end() && found->name == name ? found->value : View();
}

}  // namespace keelson::json
