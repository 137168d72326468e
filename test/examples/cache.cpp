// An informer of pods: declared before the cache starts, read afterwards.
#include "keelson/detail/cache/cache.hpp"

#include <string>
#include <string_view>
#include <vector>

#include "keelson/api/core/v1/pod.hpp"
#include "keelson/detail/cache/informer.hpp"

namespace keelson::examples {

// [cache]
// Before the cache starts: an informer of pods with an index of the label "app".
cache::Informer& declare_pods(cache::Cache& cache) {
  cache::InformerOptions options;
  options.resource = kube::resource_of<core::v1::Pod>();
  options.label_indexes = {"app"};
  return cache.declare(std::move(options));
}

// Afterwards: reads memory and sends no request.
Task<std::size_t> count_pods(cache::Cache& cache, cache::Informer& pods) {
  const std::vector<cache::Informer*> needed{&pods};
  co_await cache.wait_for_sync(needed);
  KEELSON_CO_LET(const auto found, cache::by_index<core::v1::Pod>(pods, cache::label_index("app"), "web"));
  co_return found.size();
}
// [end]

// [typed_reads]
// The images of the Pods on a node; the informer has an index "node".
Result<std::vector<std::string>> images_on(const cache::Informer& informer, std::string_view node) {
  KEELSON_LET(const auto pods, cache::by_index<core::v1::Pod>(informer, "node", node));
  std::vector<std::string> images;
  for (const auto& pod : pods) {
    for (const auto& container : pod.spec.containers) images.push_back(container.image);
  }
  return images;
}
// [end]

}  // namespace keelson::examples
