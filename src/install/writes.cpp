#include "src/install/writes.hpp"

#include <algorithm>
#include <utility>

#include "keelson/async/task_group.hpp"

namespace keelson::install {

namespace {

using boost::asio::awaitable;

// Single deletes and patches at the same time: 10,000 objects take seconds, and other clients of the API server are
// not slowed down.
constexpr std::size_t kUninstallWrites = 8;

class Writer {
 public:
  Writer(kube::Client& client, kube::Resource resource, std::vector<Write> writes)
      : client_(client), resource_(std::move(resource)), writes_(std::move(writes)) {}

  [[nodiscard]] Task<std::optional<Error>> run() {
    auto in_group = [this](async::TaskGroup& group) -> awaitable<void> {
      for (std::size_t i = 0; i < std::min(kUninstallWrites, writes_.size()); ++i) group.spawn(send_some());
      co_await group.drain();
    };
    co_await async::with_task_group(in_group);
    if (failure_) co_return std::move(*failure_);
    co_return std::move(last_error_);
  }

 private:
  [[nodiscard]] awaitable<void> send_some() {
    while (next_ < writes_.size() && !failure_) {
      auto write = std::move(writes_[next_++]);
      auto done = co_await send(std::move(write));
      if (done || kube::is_not_found(done.error()) || kube::is_conflict(done.error())) continue;
      const bool is_fatal = !is_temporary(done.error());
      (is_fatal ? failure_ : last_error_) = std::move(done).error();
    }
  }

  [[nodiscard]] Task<void> send(Write write) {
    if (!write.patch) {
      co_return co_await kube::remove(client_, resource_, std::move(write.key), {.propagation = "Foreground"});
    }
    auto patched =
        co_await kube::patch(client_, resource_, std::move(write.key), kube::PatchType::kJson, std::move(*write.patch));
    if (!patched) co_return std::move(patched).error();
    co_return Result<void>();
  }

  kube::Client& client_;
  kube::Resource resource_;
  std::vector<Write> writes_;
  std::size_t next_ = 0;
  std::optional<Error> failure_;
  std::optional<Error> last_error_;
};

}  // namespace

bool is_temporary(const Error& error) {
  if (error.kind == Error::Kind::kTransport || error.kind == Error::Kind::kTimeout) return true;
  return error.kind == Error::Kind::kStatus && (error.code == 429 || error.code >= 500);
}

Task<std::optional<Error>> write_all(kube::Client& client, kube::Resource resource, std::vector<Write> writes) {
  Writer writer(client, std::move(resource), std::move(writes));
  co_return co_await writer.run();
}

}  // namespace keelson::install
