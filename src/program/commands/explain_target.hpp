// The object that `manager explain` is asked about, without I/O.
#pragma once

#include <string>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/controller/definition.hpp"
#include "keelson/kube/object.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::program {

struct ExplainTarget {
  kube::Resource resource;
  kube::Key key;
};

// KIND and NAMESPACE/NAME, or NAME of a cluster-scoped kind. KIND is the kind, its plural or a short name, in any case,
// with or without the group. An error suggests the nearest kind.
[[nodiscard]] Result<ExplainTarget> parse_explain_target(const std::vector<std::string>& arguments,
                                                         const std::vector<controller::Definition>& controllers);

}  // namespace keelson::program
