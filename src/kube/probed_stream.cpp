#include "src/kube/probed_stream.hpp"

#include <boost/asio/this_coro.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "keelson/async/task_group.hpp"

namespace keelson::kube {

namespace {
using boost::asio::awaitable;
namespace this_coro = boost::asio::this_coro;

// The stream has a single timer, which checks now and then when the current read began. Only a silent read gets a task:
// a task, a group and a timer for each read would cost more than most reads.
class ProbedStream final : public net::Stream {
 public:
  ProbedStream(async::Clock& clock, ServerProbe& probe, std::unique_ptr<net::Stream> stream)
      : clock_(clock), probe_(probe), stream_(std::move(stream)) {}
  int status() const override { return stream_->status(); }
  const net::Headers& headers() const override { return stream_->headers(); }

  Task<std::size_t> read_some(std::span<char> buffer) override {
    if (is_lost_) co_return lost();
    Reading reading(*this, co_await this_coro::executor);
    if (!timer_) look_after(reading);
    std::optional<Result<std::size_t>> got;
    std::exception_ptr failure;
    try {
      got.emplace(co_await stream_->read_some(buffer));
    } catch (...) {
      failure = std::current_exception();
    }
    if (reading.probing) {
      // A canceled coroutine must still be able to wait here, and stays canceled, as at the end of with_task_group.
      auto throws = co_await this_coro::throw_if_cancelled();
      co_await this_coro::throw_if_cancelled(false);
      reading.probing->stop();
      try {
        co_await reading.probing->join();
      } catch (...) {
        if (!failure) failure = std::current_exception();
      }
      co_await this_coro::throw_if_cancelled(throws);
    }
    if (failure) std::rethrow_exception(failure);
    if (is_lost_) co_return lost();
    co_return std::move(*got);
  }

  void stop_reading() override { stream_->stop_reading(); }

 private:
  // A read in progress, and the probes that run after it has been silent.
  struct Reading {
    Reading(ProbedStream& s, boost::asio::any_io_executor e)
        : stream(s), executor(std::move(e)), began(s.clock_.now()) {
      stream.reading_ = this;
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading() { stream.reading_ = nullptr; }

    ProbedStream& stream;
    boost::asio::any_io_executor executor;
    async::TimePoint began;
    std::unique_ptr<async::TaskGroup> probing;
  };

  void look_after(const Reading& reading) {
    timer_ = clock_.call_at(reading.began + ServerProbe::kSilence, [this] { look(); });
  }

  void look() {
    timer_.reset();
    if (reading_ == nullptr) return;
    if (clock_.now() < reading_->began + ServerProbe::kSilence) return look_after(*reading_);
    reading_->probing = std::make_unique<async::TaskGroup>(reading_->executor);
    reading_->probing->spawn(probe_until_lost());
  }

  awaitable<void> probe_until_lost() {
    for (;;) {
      auto answers = co_await probe_.answers();
      if (!answers) break;
      co_await async::sleep_for(clock_, ServerProbe::kSilence);
    }
    is_lost_ = true;
    stream_->stop_reading();
  }

  static Error lost() {
    return transport_error("no data received for 30s, and the API server does not answer on a new connection");
  }

  async::Clock& clock_;
  ServerProbe& probe_;
  std::unique_ptr<net::Stream> stream_;
  Reading* reading_ = nullptr;
  std::unique_ptr<async::Timer> timer_;
  bool is_lost_ = false;
};

}  // namespace

std::unique_ptr<net::Stream> make_probed_stream(async::Clock& clock, ServerProbe& probe,
                                                std::unique_ptr<net::Stream> stream) {
  return std::make_unique<ProbedStream>(clock, probe, std::move(stream));
}

}  // namespace keelson::kube
