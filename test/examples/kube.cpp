// The examples of include/keelson/kube; that of PartialObject is in projections.cpp.
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "keelson/api/apps/v1/deployment.hpp"
#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/base/try.hpp"
#include "keelson/kube/selector.hpp"
#include "keelson/kube/typed_object.hpp"

namespace kube_example {

namespace apps = keelson::apps;
namespace core = keelson::core;
namespace kube = keelson::kube;
using namespace keelson::kube::literals;

// [verbs]
// Scales a Deployment, unless it was deleted meanwhile.
keelson::Task<void> scale(kube::Client& client, kube::Key key, std::int32_t replicas) {
  auto found = co_await kube::get<apps::v1::Deployment>(client, key);
  if (!found && kube::is_not_found(found.error())) co_return keelson::Result<void>();
  if (!found) co_return std::move(found).error();  // "get deployments.apps default/web: …"

  auto changed = *found;
  changed.spec.replicas = replicas;
  KEELSON_CO_TRY(co_await kube::patch(client, *found, changed));  // 409 if it changed since the get
  co_return keelson::Result<void>();
}
// [end]

// [typed]
// Deletes the selected ConfigMaps of a namespace, a page of 100 at a time.
keelson::Task<void> clean_up(kube::Client& client, std::string ns, kube::Selector web) {
  kube::ListOptions options{.ns = std::move(ns), .labels = std::move(web), .limit = 100};
  do {
    KEELSON_CO_LET(auto page, co_await kube::list<core::v1::ConfigMap>(client, options));
    for (const auto& found : page.items) {
      kube::DeleteOptions exactly{.uid = found.metadata.uid};
      KEELSON_CO_TRY(co_await kube::remove<core::v1::ConfigMap>(client, kube::key_of(found), std::move(exactly)));
    }
    options.continue_token = std::move(page.continue_token);
  } while (!options.continue_token.empty());
  co_return keelson::Result<void>();
}
// [end]

// [selector]
keelson::Result<std::vector<kube::Selector>> selectors(std::string name, const std::string& flag) {
  auto constant = "app=web,tier in (a,b)"_selector;          // checked by the compiler
  auto of_values = kube::Selector::equals({{"app", name}});  // values from variables
  KEELSON_LET(auto of_user, kube::Selector::parse(flag));    // user input
  return std::vector<kube::Selector>{constant, of_values, of_user};
}
// [end]

// [field_selector]
std::vector<kube::FieldSelector> field_selectors(std::string node) {
  return {"spec.nodeName=node-1,status.phase!=Failed"_fields,       // checked by the compiler
          kube::FieldSelector::equals({{"spec.nodeName", node}})};  // any value; it is escaped
}
// [end]

}  // namespace kube_example
