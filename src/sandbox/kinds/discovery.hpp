// Discovery: the documents below /api and /apis, single and aggregated.
#pragma once

#include <string>

#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

// APIVersions (/api), APIGroupList (/apis), APIGroup (/apis/<group>), APIResourceList (/api/v1,
// /apis/<group>/<version>).
// `host` is the address at which the client has reached the server.
[[nodiscard]] RejectionOr<Answer> discover(const Kinds& kinds, const std::string& path, const std::string& host = "");

// The APIGroupDiscoveryList (apidiscovery.k8s.io/v2) of "/api" or "/apis".
[[nodiscard]] Tree aggregated_discovery(const Kinds& kinds, const std::string& path);

// version.Info.
[[nodiscard]] std::string version_info();

}  // namespace keelson::sandbox
