// Which fields of an object a write may change: a subresource changes its own part, the main resource everything except
// the status.
#pragma once

#include "src/sandbox/call.hpp"
#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

// The object that a create, an update or a patch stores: the writable fields of `written`, everything else of `live`.
// `live` is null for a create; subresources need it.
[[nodiscard]] Tree isolated(const Call& call, const Tree* live, Tree written);

// The same of an apply: a configuration that is reduced to the fields that may be applied.
[[nodiscard]] Tree isolated_apply(const Call& call, Tree configuration);

}  // namespace keelson::sandbox
