// The paths of an OpenAPI v3 document: the verbs of a kind, with their parameters, bodies and responses.
#pragma once

#include <set>
#include <string>

#include "src/sandbox/kinds/served_kind.hpp"

namespace keelson::sandbox {

// Adds the paths of a kind to `paths`, and the names of the definitions that they refer to to `named`.
void add_openapi_paths(const ServedKind& kind, Tree& paths, std::set<std::string>& named);

// "io.k8s.api.apps.v1.Deployment" or, for a custom kind, "com.example.cache.v1alpha1.Memcached".
[[nodiscard]] std::string openapi_name(const ServedKind& kind);

// "/apis/apps/v1"
[[nodiscard]] std::string api_root(const kube::Resource& resource);
// "/apis/apps/v1/namespaces/{namespace}/deployments"
[[nodiscard]] std::string collection_path(const kube::Resource& resource);

}  // namespace keelson::sandbox
