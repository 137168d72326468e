#include "keelson/detail/json/member_index.hpp"

#include <algorithm>

namespace keelson::json {

namespace {
// Up to here a search is as fast as an index, and allocates nothing.
constexpr std::size_t kFewMembers = 16;
}  // namespace

std::vector<Member> unique_members(View object) {
  std::vector<Member> sorted;
  sorted.reserve(object.size());
  for (const Member member : object.members()) sorted.push_back(member);
  std::ranges::stable_sort(sorted, {}, &Member::name);

  std::size_t kept = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const bool is_last_of_name = i + 1 == sorted.size() || sorted[i + 1].name != sorted[i].name;
    if (is_last_of_name) sorted[kept++] = sorted[i];
  }
  sorted.resize(kept);
  return sorted;
}

MemberIndex::MemberIndex(View object) : object_(object) {
  if (object.is_object() && object.size() > kFewMembers) sorted_ = unique_members(object);
}

View MemberIndex::find(std::string_view name) const {
  if (sorted_.empty()) return object_.find(name);
  const auto found = std::ranges::lower_bound(sorted_, name, {}, &Member::name);
  return found != sorted_.end() && found->name == name ? found->value : View();
}

View item_with(View list, std::string_view member, std::string_view text) {
  const auto items = list.items();
  const auto found = std::ranges::find_if(items, [&](View item) { return item.find(member).string() == text; });
  return found == items.end() ? View() : *found;
}

}  // namespace keelson::json
