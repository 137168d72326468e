// The verbs of the client, as include/keelson/kube/client.hpp shows them.
#include <boost/asio/awaitable.hpp>
#include <cstdint>
#include <utility>

#include "keelson/api/apps/v1/deployment.hpp"
#include "keelson/base/try.hpp"
#include "keelson/kube/typed_object.hpp"

namespace kube_example {

namespace apps = keelson::apps;
namespace kube = keelson::kube;

// [verbs]
// Scales a Deployment, unless it was deleted meanwhile.
boost::asio::awaitable<keelson::Result<void>> scale(kube::Client& client, kube::Key key, std::int32_t replicas) {
  auto found = co_await kube::get<apps::v1::Deployment>(client, key);
  if (!found && kube::is_not_found(found.error())) co_return keelson::Result<void>();
  if (!found) co_return std::move(found).error();  // "get deployments.apps default/web: …"

  auto changed = *found;
  changed.spec.replicas = replicas;
  KEELSON_CO_TRY(co_await kube::patch(client, *found, changed));  // 409 if it changed since the get
  co_return keelson::Result<void>();
}
// [end]

}  // namespace kube_example
