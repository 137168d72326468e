// A mistake that must not compile: the result of the write is ignored.
#include "keelson/operator.hpp"

using namespace keelson;

Task<void> remove(kube::Client& client) {
  co_await kube::remove(client, kube::config_maps(), {"default", "greeting"}, {});
  co_return Result<void>();
}
