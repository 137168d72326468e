// Reading what a Memcached's Deployment and pods say about it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/cache/informer.hpp"
#include "keelson/kube/object.hpp"
#include "src/controllers/memcached/memcached_status.hpp"

namespace keelson::controllers {

// Pods and ReplicaSets by the Memcached that their label names, "<namespace>/<name>": what other namespaces label with
// a name is not even looked at.
inline constexpr std::string_view kLabelledIndex = "memcached";
[[nodiscard]] std::vector<std::string> memcacheds_of_label(const kube::Object& object);

// Sets rolled_out and failure; facts.size is what is wanted.
[[nodiscard]] Result<void> look_at_deployment(const kube::Object& deployment, MemcachedFacts& facts);

// Sets nodes and ready_nodes: the pods of the Deployment's ReplicaSets that neither terminate nor have ended. Owner
// references tell whose they are: anyone can put our labels on a pod.
[[nodiscard]] Result<void> look_at_pods(const kube::Object& deployment, const cache::Informer& replica_sets,
                                        const cache::Informer& pods, MemcachedFacts& facts);

}  // namespace keelson::controllers
