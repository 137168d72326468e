#include "src/kube/probed_stream.hpp"

#include <optional>
#include <utility>

#include "keelson/async/task_group.hpp"

namespace keelson::kube {

namespace {
using boost::asio::awaitable;

// A read is watched over by one timer for the whole stream, which looks every so often when the read began: a task and
// a timer for each read would cost more than most reads.
class ProbedStream final : public net::Stream {
 public:
  ProbedStream(async::Clock& clock, ServerProbe& probe, std::unique_ptr<net::Stream> stream)
      : clock_(clock), probe_(probe), stream_(std::move(stream)) {}
  int status() const override { return stream_->status(); }
  const net::Headers& headers() const override { return stream_->headers(); }

  awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override {
    if (is_lost_) co_return lost();
    std::optional<Result<std::size_t>> got;
    auto read = [this, buffer, &got](async::TaskGroup& tasks) { return read_watched(tasks, buffer, got); };
    co_await async::with_task_group(read);
    if (is_lost_ || !got) co_return lost();
    co_return std::move(*got);
  }

  void stop_reading() override { stream_->stop_reading(); }

 private:
  // A read in progress, and where a task can run beside it.
  struct Reading {
    Reading(ProbedStream& s, async::TaskGroup& t) : stream(s), tasks(t), began(s.clock_.now()) {
      stream.reading_ = this;
    }
    Reading(const Reading&) = delete;
    Reading& operator=(const Reading&) = delete;
    ~Reading() { stream.reading_ = nullptr; }

    ProbedStream& stream;
    async::TaskGroup& tasks;
    async::TimePoint began;
  };

  awaitable<void> read_watched(async::TaskGroup& tasks, std::span<char> buffer,
                               std::optional<Result<std::size_t>>& got) {
    Reading reading(*this, tasks);
    if (!timer_) look_after(reading);
    got.emplace(co_await stream_->read_some(buffer));
  }

  void look_after(const Reading& reading) {
    timer_ = clock_.call_at(reading.began + ServerProbe::kSilence, [this] { look(); });
  }

  void look() {
    timer_.reset();
    if (reading_ == nullptr) return;
    if (clock_.now() < reading_->began + ServerProbe::kSilence) return look_after(*reading_);
    reading_->tasks.spawn(probe_until_lost());
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
    return transport("no data received for 30s, and the API server does not answer on a new connection");
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
