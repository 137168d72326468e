// Replicas of a manager in the simulated world, each with an elector, a cache and controllers of its own: killed,
// stopped for a while (as by SIGSTOP), cut off, slow, and started again.
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "keelson/async/notify.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/controller/controller.hpp"
#include "keelson/controller/event_recorder.hpp"
#include "keelson/leader/elector.hpp"
#include "keelson/manager/manager.hpp"
#include "keelson/metrics/registry.hpp"
#include "keelson/sandbox/api_server.hpp"
#include "test/support/recording_sink.hpp"
#include "test/support/test_loop.hpp"

namespace keelson::test {

inline constexpr async::Duration kUsualSlowness = std::chrono::milliseconds(20);

// What can be wrong with one replica.
struct Weather {
  bool is_dead = false;                       // nothing that it asks for is sent, nothing that was answered arrives
  bool is_stopped = false;                    // it does nothing; time goes on
  bool is_cut_off = false;                    // from the API server
  async::Duration slowness = kUsualSlowness;  // of each way, at the most
  async::Notify changed;
};

// A clock whose calls wait while the process is stopped. It tells the true time.
class StoppableClock final : public async::Clock {
 public:
  StoppableClock(async::Clock& inner, Weather& weather) : inner_(inner), weather_(weather) {}
  [[nodiscard]] async::TimePoint now() const override { return inner_.now(); }
  [[nodiscard]] async::WallTime wall_now() const override { return inner_.wall_now(); }
  [[nodiscard]] std::unique_ptr<async::Timer> call_at(async::TimePoint when, std::function<void()> callback) override;
  [[nodiscard]] std::unique_ptr<async::Timer> on_wall_set(std::function<void()> callback) override {
    return inner_.on_wall_set(std::move(callback));
  }
  void resume();

 private:
  struct Call {
    std::function<void()> callback;
    std::unique_ptr<async::Timer> timer;
  };
  void arm(const std::shared_ptr<Call>& call, async::TimePoint when);

  async::Clock& inner_;
  Weather& weather_;
  std::deque<std::weak_ptr<Call>> held_;
};

// One process: from its start until it has ended.
class Life {
 public:
  Life(TestLoop& loop, base::Random& random, LogSink& sink, sandbox::ApiServer& server,
       const std::vector<controller::Definition>& definitions, const std::string& user, async::TaskGroup& sent);
  Life(const Life&) = delete;
  Life& operator=(const Life&) = delete;

  // Runs until it is told to stop, has lost its lease, or is dead.
  [[nodiscard]] boost::asio::awaitable<void> run();
  void stop();
  void kill();
  void pause();
  void resume();

  [[nodiscard]] bool has_ended() const { return has_ended_; }
  // It may write: nobody else may then.
  [[nodiscard]] bool may_write() const { return !weather.is_dead && elector_->fence().is_open(); }
  [[nodiscard]] bool leads() const {
    return !weather.is_dead && !has_ended_ && elector_->state() == leader::Elector::State::kLeading;
  }

  Weather weather;

 private:
  [[nodiscard]] boost::asio::awaitable<void> wait_for_stop();

  StoppableClock clock_;
  metrics::Registry registry_;
  std::unique_ptr<kube::Client> network_;
  std::unique_ptr<leader::Lock> lock_;
  std::unique_ptr<leader::Elector> elector_;
  std::unique_ptr<kube::Client> fenced_;
  std::unique_ptr<cache::Cache> cache_;
  std::unique_ptr<kube::Client> client_;
  std::unique_ptr<controller::EventSender> events_;
  std::unique_ptr<controller::Context> context_;
  std::vector<std::unique_ptr<async::Runnable>> controllers_;
  manager::Manager manager_;
  bool is_stopping_ = false;
  bool has_ended_ = false;
};

class Replicas {
 public:
  Replicas(std::uint64_t seed, std::size_t count, std::vector<controller::Definition> definitions,
           sandbox::ServerOptions options = {});
  Replicas(const Replicas&) = delete;
  Replicas& operator=(const Replicas&) = delete;
  // Kills them all and waits until they have unwound.
  ~Replicas();

  // The life that this replica leads now; one that has ended is replaced by a new one first.
  [[nodiscard]] Life& at(std::size_t replica);
  [[nodiscard]] std::size_t count() const { return current_.size(); }
  // Those that may write, of all that ever lived.
  [[nodiscard]] std::size_t writers() const;
  [[nodiscard]] std::size_t leaders() const;
  void pass(async::Duration time);

  TestLoop loop;
  base::Random random;
  RecordingSink sink;
  sandbox::ApiServer server;

 private:
  void start(std::size_t replica);

  std::vector<controller::Definition> definitions_;
  std::deque<std::unique_ptr<Life>> lives_;
  std::vector<Life*> current_;
  async::TaskGroup tasks_;
};

}  // namespace keelson::test
