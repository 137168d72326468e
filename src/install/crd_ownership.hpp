// Whether `uninstall` may delete a CRD: only if this program has installed it, or it has the spec of this program.
#pragma once

#include <string>

#include "keelson/base/task.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::install {

// Why the CRD stays, with its objects; empty if it is ours. `live` is its JSON. `desired` is this program's CRD; if the
// owner is not known, a dry run of an update compares the two. kConflict if another client changes the CRD meanwhile.
// All must outlive the call.
[[nodiscard]] Task<std::string> reason_to_keep(kube::Client& client, const kube::Object& crd, json::View live,
                                               std::string desired);

}  // namespace keelson::install
