// MemberIndex: the members of an object by name, for code that looks up many names in one object.
//
// View::find() is a linear search, so a loop of it over the names of a large object takes quadratic time. The index is
// built in O(n log n) for a large object, and costs nothing for a small one.
#pragma once

#include <string_view>
#include <vector>

#include "keelson/json/value.hpp"

namespace keelson::json {

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

}  // namespace keelson::json
