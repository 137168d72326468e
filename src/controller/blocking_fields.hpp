// Decides without I/O how an apply succeeds that the API server rejects because of fields of other owners: a port of a
// Service whose number a user has changed, so that the apply would add a second port of the same name.
//
// A server-side apply removes a field only if its manager owned it alone. Therefore such fields are taken over first,
// by a patch of metadata.managedFields, which changes nothing else. The next apply removes them, together with all
// other changes and in a single write; a crash between the two loses nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/detail/base/error.hpp"
#include "keelson/json/value.hpp"

namespace keelson::controller {

// The JSON patch that makes `manager` the only owner of the fields of `live` (a whole object with managedFields) that
// caused `rejection` (422) of an apply of `desired`, and that `desired` does not have. Such fields are
// - the entries of a list with keys (list_keys.hpp) whose value the API server reports as the duplicate of a desired
// one;
// - the only entry of such a list, if the desired one has another key, and the API server requires a member of it;
// - a member of an object that the API server names as invalid or forbidden, such as the `valueFrom` of an `env` entry
//   with a desired `value`. Members of metadata are left alone.
// Empty if another error remains, or may remain: the fields would be removed later, by an apply that they do not block.
// The index of an entry in an error selects nothing, because it counts in the merged list.
// 409 if the object has changed since `live` was read.
[[nodiscard]] std::optional<std::string> take_over_patch(json::View live, json::View desired, const Error& rejection,
                                                         std::string_view manager);

}  // namespace keelson::controller
