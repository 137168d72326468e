#include "src/kube/probed_stream.hpp"

#include <optional>
#include <utility>

#include "keelson/async/task_group.hpp"

namespace keelson::kube {

namespace {
using boost::asio::awaitable;

class ProbedStream final : public net::Stream {
 public:
  ProbedStream(async::Clock& clock, ServerProbe& probe, std::unique_ptr<net::Stream> stream)
      : clock_(clock), probe_(probe), stream_(std::move(stream)) {}
  int status() const override { return stream_->status(); }
  const net::Headers& headers() const override { return stream_->headers(); }

  awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override {
    if (is_lost_) co_return lost();
    Reading reading{buffer, {}, {}};
    auto both = [this, &reading](async::TaskGroup& tasks) { return read_and_watch(tasks, reading); };
    co_await async::with_task_group(both);
    if (!reading.got) co_return lost();
    co_return std::move(*reading.got);
  }

 private:
  struct Reading {
    std::span<char> buffer;
    std::optional<Result<std::size_t>> got;
    async::Notify ended;
  };

  awaitable<void> read_and_watch(async::TaskGroup& tasks, Reading& reading) {
    tasks.spawn(read(reading));
    tasks.spawn(watch_over(reading));
    while (!reading.got && !is_lost_) co_await reading.ended.wait();
  }

  awaitable<void> read(Reading& reading) {
    auto got = co_await stream_->read_some(reading.buffer);
    reading.got.emplace(std::move(got));
    reading.ended.notify_all();
  }

  awaitable<void> watch_over(Reading& reading) {
    while (!is_lost_) {
      co_await async::sleep_for(clock_, ServerProbe::kSilence);
      auto answers = co_await probe_.answers();
      is_lost_ = !answers;
    }
    reading.ended.notify_all();
  }

  static Error lost() {
    return transport("no data received for 30s, and the API server does not answer on a new connection");
  }

  async::Clock& clock_;
  ServerProbe& probe_;
  std::unique_ptr<net::Stream> stream_;
  bool is_lost_ = false;
};

}  // namespace

std::unique_ptr<net::Stream> make_probed_stream(async::Clock& clock, ServerProbe& probe,
                                                std::unique_ptr<net::Stream> stream) {
  return std::make_unique<ProbedStream>(clock, probe, std::move(stream));
}

}  // namespace keelson::kube
