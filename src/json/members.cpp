#include "src/json/members.hpp"

#include <algorithm>

namespace keelson::json {

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

}  // namespace keelson::json
