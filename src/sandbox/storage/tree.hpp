// The form of objects in the API server: JSON that can be changed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/json/tree.hpp"

namespace keelson::sandbox {

using json::Tree;

// The condition of this type in the object's status; null if it has none.
[[nodiscard]] const Tree* condition_of(const Tree& object, std::string_view type);
[[nodiscard]] const Tree* condition_in(const Tree& status, std::string_view type);
// Whether the condition of this type is True.
[[nodiscard]] bool has_condition(const Tree& object, std::string_view type);

// Sets the members of `defaults` that are absent or null; objects are completed member by member.
void set_missing(Tree& object, const Tree& defaults);
// A constant of the program as a tree.
[[nodiscard]] Tree json_tree(std::string_view json);

[[nodiscard]] Tree text_list(const std::vector<std::string>& texts);
// The items of a member, to be changed; a value of another type becomes a list.
[[nodiscard]] std::vector<Tree>& list_in(Tree& object, std::string_view name);
// Sets the member, or erases it if the value is null or empty.
void set_or_erase(Tree& object, std::string_view name, Tree value);
// Sets the member to that of `from`, or erases it if there is none.
void copy_member(const Tree& from, Tree& to, std::string_view name);

// Visits the containers of a pod's spec: those of `containers`, then those of `initContainers`.
template <class Visit>
void for_each_container(Tree& pod_spec, Visit visit) {
  for (const char* list : {"containers", "initContainers"}) {
    for (auto& container : pod_spec.items_of(list)) visit(container);
  }
}

}  // namespace keelson::sandbox
