#include "test/sim/replicas.hpp"

#include <algorithm>

#include "keelson/async/timeout.hpp"

namespace keelson::test {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

struct Answer {
  std::optional<Result<kube::ApiReply>> reply;
  async::Notify arrived;
};

asio::awaitable<void> ask(kube::Client& server, kube::ApiRequest request, std::shared_ptr<Answer> answer) {
  answer->reply = co_await server.send(std::move(request));
  answer->arrived.notify_all();
}

// Between a process and its socket, and between the socket and the server. What has been sent arrives, even if its
// sender has gone.
class Network final : public kube::Client {
 public:
  Network(async::Clock& clock, base::Random& random, kube::Client& server, Weather& weather, async::TaskGroup& sent)
      : clock_(clock), random_(random), server_(server), weather_(weather), sent_(sent) {}

  asio::awaitable<Result<kube::ApiReply>> send(kube::ApiRequest request) override {
    co_await way();
    if (is_lost()) co_return transport("no route to host");
    if (request.may_send && !request.may_send()) co_return Error(Error::Kind::kFenced, "not sent");
    request.may_send = nullptr;
    auto answer = std::make_shared<Answer>();
    sent_.spawn(ask(server_, std::move(request), answer));
    while (!answer->reply) co_await answer->arrived.wait();
    co_await way();
    if (is_lost()) co_return transport("connection reset by peer");
    co_return std::move(*answer->reply);
  }
  asio::awaitable<Result<std::unique_ptr<net::Stream>>> stream(kube::ApiRequest request) override {
    co_await way();
    if (is_lost()) co_return transport("no route to host");
    auto opened = co_await server_.stream(std::move(request));
    if (!opened) co_return opened;
    co_return std::make_unique<Late>(*this, std::move(*opened));
  }

 private:
  class Late final : public net::Stream {
   public:
    Late(Network& network, std::unique_ptr<net::Stream> inner) : network_(network), inner_(std::move(inner)) {}
    int status() const override { return inner_->status(); }
    const net::Headers& headers() const override { return inner_->headers(); }
    asio::awaitable<Result<std::size_t>> read_some(std::span<char> buffer) override {
      auto read = co_await inner_->read_some(buffer);
      co_await network_.way();
      if (network_.is_lost()) co_return transport("unexpected EOF");
      co_return read;
    }
    void stop_reading() override { inner_->stop_reading(); }

   private:
    Network& network_;
    std::unique_ptr<net::Stream> inner_;
  };

  [[nodiscard]] bool is_lost() const { return weather_.is_dead || weather_.is_cut_off; }
  // A connection that is cut is known to be so after a while; a process that is stopped learns nothing.
  asio::awaitable<void> way() {
    auto slow = std::chrono::duration_cast<async::Duration>(weather_.slowness * random_.unit());
    co_await async::sleep_for(clock_, slow);
    if (weather_.is_cut_off && !weather_.is_dead) {
      auto waited = weather_.changed.wait();
      co_await async::finish_within(clock_, 4s, std::move(waited));
    }
    while (weather_.is_stopped && !weather_.is_dead) co_await weather_.changed.wait();
  }

  async::Clock& clock_;
  base::Random& random_;
  kube::Client& server_;
  Weather& weather_;
  async::TaskGroup& sent_;
};

class HeldTimer final : public async::Timer {
 public:
  explicit HeldTimer(std::shared_ptr<void> call) : call_(std::move(call)) {}

 private:
  std::shared_ptr<void> call_;
};

const char* no_environment(const char*) { return nullptr; }

}  // namespace

std::unique_ptr<async::Timer> StoppableClock::call_at(async::TimePoint when, std::function<void()> callback) {
  auto call = std::make_shared<Call>(Call{std::move(callback), nullptr});
  arm(call, when);
  return std::make_unique<HeldTimer>(std::move(call));
}

void StoppableClock::arm(const std::shared_ptr<Call>& call, async::TimePoint when) {
  call->timer = inner_.call_at(when, [this, weak = std::weak_ptr(call)] {
    auto due = weak.lock();
    if (!due) return;
    if (weather_.is_stopped) return held_.push_back(weak);
    auto callback = due->callback;
    callback();
  });
}

void StoppableClock::resume() {
  auto held = std::exchange(held_, {});
  for (const auto& weak : held) {
    if (auto call = weak.lock()) arm(call, inner_.now());
  }
}

Life::Life(TestLoop& loop, base::Random& random, LogSink& sink, sandbox::ApiServer& server,
           const std::vector<controller::Definition>& definitions, const std::string& user, async::TaskGroup& sent)
    : clock_(loop.clock(), weather),
      network_(std::make_unique<Network>(clock_, random, server.client(user), weather, sent)),
      lock_(leader::make_lease_lock(clock_, *network_, {kube::Key("default", "lease"), user, 5s})),
      elector_(leader::make_elector(loop.executor(), clock_, random, Logger(sink), registry_, *lock_,
                                    {.identity = user, .name = "lease", .timing = {}})),
      fenced_(leader::fenced(*network_, elector_->fence())),
      cache_(cache::make_cache(loop.executor(), clock_, random, Logger(sink), *network_, registry_, {})),
      client_(cache::read_your_writes(*fenced_, *cache_)),
      events_(controller::make_event_recorder(loop.executor(), clock_, random, Logger(sink), *fenced_, {user, "host"})),
      context_(std::make_unique<controller::Context>(controller::Context{
          clock_, random, Logger(sink), *client_, *cache_, *events_, registry_, no_environment, {}})),
      manager_(clock_, Logger(sink), 5s) {
  manager_.add(manager::Group::kCaches, *cache_);
  manager_.add(manager::Group::kOthers, *events_);
  for (const auto& definition : definitions) {
    controllers_.push_back(controller::make_controller(loop.executor(), *context_, definition, {}));
    manager_.add(manager::Group::kControllers, *controllers_.back());
  }
  manager_.elect_by(*elector_);
}

asio::awaitable<void> Life::run() {
  auto ended = co_await manager_.run([this] { return wait_for_stop(); });
  static_cast<void>(ended);
  has_ended_ = true;
}

asio::awaitable<void> Life::wait_for_stop() {
  while (!is_stopping_) co_await weather.changed.wait();
}

void Life::stop() {
  is_stopping_ = true;
  weather.changed.notify_all();
}

// A ghost that sends nothing winds down what is left of it.
void Life::kill() {
  weather.is_dead = true;
  resume();
  stop();
}

void Life::pause() { weather.is_stopped = true; }

void Life::resume() {
  weather.is_stopped = false;
  clock_.resume();
  weather.changed.notify_all();
}

Replicas::Replicas(std::uint64_t seed, std::size_t count, std::vector<controller::Definition> definitions,
                   sandbox::ServerOptions options)
    : random(seed),
      server(loop.clock(), random, options),
      definitions_(std::move(definitions)),
      current_(count),
      tasks_(loop.executor()) {
  for (const auto& definition : definitions_) {
    for (const auto& kind : definition.kinds()) server.serve(kind);
  }
  for (std::size_t replica = 0; replica < count; ++replica) start(replica);
}

Replicas::~Replicas() {
  for (auto& life : lives_) life->kill();
  loop.run(tasks_.join());
}

void Replicas::start(std::size_t replica) {
  auto user = "replica-" + std::to_string(replica) + "-" + std::to_string(lives_.size());
  auto& life = lives_.emplace_back(std::make_unique<Life>(loop, random, sink, server, definitions_, user, tasks_));
  current_[replica] = life.get();
  tasks_.spawn(life->run());
}

Life& Replicas::at(std::size_t replica) {
  if (current_[replica]->has_ended() || current_[replica]->weather.is_dead) start(replica);
  return *current_[replica];
}

std::size_t Replicas::writers() const {
  return static_cast<std::size_t>(
      std::count_if(lives_.begin(), lives_.end(), [](const auto& life) { return life->may_write(); }));
}

std::size_t Replicas::leaders() const {
  return static_cast<std::size_t>(
      std::count_if(current_.begin(), current_.end(), [](const auto* life) { return life->leads(); }));
}

void Replicas::pass(async::Duration time) { loop.run(async::sleep_for(loop.clock(), time)); }

}  // namespace keelson::test
