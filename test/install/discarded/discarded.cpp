// A mistake that must not compile: what became of the write is not looked at.
#include "keelson/operator.hpp"

using namespace keelson;

boost::asio::awaitable<Result<void>> remove(kube::Client& client) {
  co_await kube::remove(client, kube::config_maps(), {"default", "greeting"}, {});
  co_return Result<void>();
}
