// The example of include/keelson/detail/queue/work_queue.hpp.
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "keelson/detail/queue/work_queue.hpp"

namespace keelson::examples {

using Work = std::function<boost::asio::awaitable<bool>(std::string key)>;

// [work_queue]
// A worker. Spawn several into a TaskGroup; shut_down() ends them.
boost::asio::awaitable<void> run_worker(queue::WorkQueue& queue, Work work) {
  for (;;) {
    auto item = co_await queue.get();
    if (!item) co_return;
    auto succeeded = co_await work(item->key);
    if (succeeded) {
      queue.forget(item->key);
    } else {
      queue.add_rate_limited(item->key, {.priority = item->priority, .reason = "retry after error"});
    }
    queue.done(item->key);
  }
}
// [end]

}  // namespace keelson::examples
