// The members of an object by name, for code that looks up many names in one object, and the items of a list by theirs.
//
// View::find() is a linear search, so a loop of it over the names of a large object takes quadratic time. The index is
// built in O(n log n) for a large object, and costs nothing for a small one.
#pragma once

#include <string_view>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::json {

// The members as Go decodes them: one per name, of duplicates the last. They are sorted by name so that comparing
// objects with very many members is O(n log n), also for hostile input.
[[nodiscard]] std::vector<Member> unique_members(View object);

class MemberIndex {
 public:
  // Refers to the Document of `object`. A View of another type has no members.
  explicit MemberIndex(View object);

  // As View::find(): of duplicates the last; absent if there is none.
  [[nodiscard]] View find(std::string_view name) const;

 private:
  View object_;
  std::vector<Member> sorted_;  // empty for a small object, which find() searches
};

// The first item of a list whose `member` is this text, such as {"name", "manager"} of containers; absent if there is
// none.
[[nodiscard]] View item_with(View list, std::string_view member, std::string_view text);

}  // namespace keelson::json
