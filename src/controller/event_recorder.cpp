#include "keelson/detail/controller/event_recorder.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "keelson/async/task_group.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/async/notify.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/utf8.hpp"
#include "keelson/detail/schema/literal.hpp"
#include "src/controller/event_json.hpp"

namespace keelson::controller {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// client-go: maxTriesPerEvent, defaultSleepDuration and its jitter.
constexpr int kTries = 12;
constexpr async::Duration kRetryDelay = 10s;
constexpr double kRetryJitter = 0.25;
constexpr async::Duration kSweepPeriod = 1min;

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown";
  return name.data();
}

// The API server rejects every event of a component that is not a qualified name.
std::string reportable(std::string component) {
  return kube::detail::is_qualified_name(component) ? component : "keelson";
}

bool is_worth_a_retry(const Error& error) {
  return error.kind == Error::Kind::kTransport || error.kind == Error::Kind::kTimeout;
}

// events.k8s.io/v1, or v1.
enum class Group { kEvents, kCore };

Group other(Group group) { return group == Group::kEvents ? Group::kCore : Group::kEvents; }

class LoopEventSender final : public EventSender {
 public:
  LoopEventSender(asio::any_io_executor executor, async::Clock& clock, base::Random& random, Logger log,
                  kube::Client& client, EventOptions options)
      : clock_(clock),
        random_(random),
        log_(log.named("events")),
        client_(client),
        reporter_{reportable(std::move(options.component)),
                  options.host.empty() ? host_name() : std::move(options.host)},
        sweeper_(executor),
        sender_(executor) {}

  void record(const kube::Resource& resource, const kube::Object& regarding, Type type, std::string reason,
              std::string action, std::string note) override {
    take(resource, regarding, std::nullopt, type, std::move(reason), std::move(action), std::move(note));
  }
  void record_related(const kube::Resource& resource, const kube::Object& regarding, const RelatedObject& related,
                      Type type, std::string reason, std::string action, std::string note) override {
    take(resource, regarding, Regarding{related.api_version, related.kind, related.ns, related.name, related.uid, ""},
         type, std::move(reason), std::move(action), std::move(note));
  }

  [[nodiscard]] std::string name() const override { return "events"; }
  [[nodiscard]] Task<void> start() override;
  [[nodiscard]] asio::awaitable<void> stop() override;
  void abort() override { sender_.stop(); }

 private:
  void take(const kube::Resource& resource, const kube::Object& regarding, std::optional<Regarding> related, Type type,
            std::string reason, std::string action, std::string note);
  [[nodiscard]] asio::awaitable<void> send_all();
  [[nodiscard]] asio::awaitable<void> sweep();
  [[nodiscard]] asio::awaitable<void> deliver(EventPolicy::Job job);
  [[nodiscard]] Task<void> send(EventPolicy::Job job);
  [[nodiscard]] Task<void> create(EventSeries event);
  [[nodiscard]] Task<void> create_in(Group group, EventSeries event);
  [[nodiscard]] Task<void> repeat(EventSeries event);
  std::string new_name(std::string_view object);

  async::Clock& clock_;
  base::Random& random_;
  Logger log_;
  kube::Client& client_;
  Reporter reporter_;
  EventPolicy policy_;
  async::Notify work_;
  async::Notify stop_requested_;
  bool stopping_ = false;
  Group group_ = Group::kEvents;   // the one that is served and permitted
  std::uint64_t last_number_ = 0;  // of an event's name
  async::TaskGroup sweeper_;
  async::TaskGroup sender_;
};

void LoopEventSender::take(const kube::Resource& resource, const kube::Object& regarding,
                           std::optional<Regarding> related, Type type, std::string reason, std::string action,
                           std::string note) {
  EventSeries event;
  event.related = std::move(related);
  event.regarding = {resource.api_version(),       resource.kind,
                     std::string(regarding.ns()),  std::string(regarding.name()),
                     std::string(regarding.uid()), std::to_string(regarding.resource_version())};
  event.type = type == Type::kWarning ? "Warning" : "Normal";
  event.reason = std::move(reason);
  event.action = std::move(action);
  event.note = base::cut_utf8(note, limits::kEventNoteBytes);
  event.ns = regarding.ns().empty() ? "default" : regarding.ns();
  event.name = new_name(regarding.name());
  event.first = event.last = clock_.wall_now();
  log_.debug("Event occurred", {{"object", regarding.key().text()},
                                {"kind", resource.kind},
                                {"type", event.type},
                                {"reason", event.reason},
                                {"action", event.action},
                                {"note", event.note}});
  if (stopping_) return;
  auto taken = policy_.record(std::move(event), clock_.now());
  if (taken == EventPolicy::Taken::kFull) log_.debug("Event queue is full, dropping the event");
  if (taken == EventPolicy::Taken::kCut) log_.debug("Too many events about one object, dropping the event");
  work_.notify_all();
}

Task<void> LoopEventSender::start() {
  sender_.spawn(send_all());
  sweeper_.spawn(sweep());
  co_return Result<void>();
}

asio::awaitable<void> LoopEventSender::stop() {
  stopping_ = true;
  sweeper_.stop();
  co_await sweeper_.join();
  policy_.flush();
  work_.notify_all();
  stop_requested_.notify_all();
  co_await sender_.join();
}

asio::awaitable<void> LoopEventSender::send_all() {
  for (;;) {
    auto job = policy_.next();
    if (job) {
      co_await deliver(std::move(*job));
      continue;
    }
    if (stopping_) co_return;
    co_await work_.wait();
  }
}

asio::awaitable<void> LoopEventSender::sweep() {
  for (;;) {
    while (policy_.series() == 0) co_await work_.wait();
    co_await async::sleep_for(clock_, kSweepPeriod);
    policy_.sweep(clock_.now());
    work_.notify_all();
  }
}

asio::awaitable<void> LoopEventSender::deliver(EventPolicy::Job job) {
  for (int tries = 1;; ++tries) {
    auto done = co_await send(job);
    if (done) {
      policy_.sent(job, clock_.now());
      co_return;
    }
    if (!is_worth_a_retry(done.error()) || tries == kTries || stopping_) {
      policy_.rejected(job);
      log_.debug("Event was not sent (will not retry)",
                 {{"error", done.error().message()}, {"event", job.series.ns + "/" + job.series.name}});
      co_return;
    }
    // The first delay is random, so that many processes do not retry at the same time.
    double factor = tries == 1 ? random_.unit() : 1 + kRetryJitter * random_.unit();
    auto delay = std::chrono::duration_cast<async::Duration>(kRetryDelay * factor);
    co_await async::finish_within(clock_, delay, stop_requested_.wait());
  }
}

Task<void> LoopEventSender::send(EventPolicy::Job job) {
  if (job.action == EventPolicy::Job::Action::kCreate) {
    auto created = co_await create(std::move(job.series));
    co_return created;
  }
  auto repeated = co_await repeat(job.series);
  if (repeated || !kube::is_not_found(repeated.error())) co_return repeated;
  // The event has expired: the API server stores events for an hour.
  auto created = co_await create(std::move(job.series));
  co_return created;
}

// 403 and 404 may be about the group or about a namespace that is being deleted: only a success shows which group to
// use.
Task<void> LoopEventSender::create(EventSeries event) {
  auto first = co_await create_in(group_, event);
  if (first || !(kube::is_not_found(first.error()) || kube::is_forbidden(first.error()))) co_return first;
  auto second = co_await create_in(other(group_), event);
  if (!second) co_return first;
  group_ = other(group_);
  co_return second;
}

Task<void> LoopEventSender::create_in(Group group, EventSeries event) {
  bool is_core = group == Group::kCore;
  auto body = is_core ? core_event_json(event, reporter_) : event_json(event, reporter_);
  auto resource = is_core ? kube::core_events() : kube::events();
  KEELSON_CO_TRY(co_await kube::create(client_, std::move(resource), event.ns, std::move(body)));
  co_return Result<void>();
}

Task<void> LoopEventSender::repeat(EventSeries event) {
  bool is_core = group_ == Group::kCore;
  auto body = is_core ? core_series_patch(event) : series_patch(event);
  auto resource = is_core ? kube::core_events() : kube::events();
  kube::Key key(event.ns, event.name);
  KEELSON_CO_TRY(
      co_await kube::patch(client_, std::move(resource), std::move(key), kube::PatchType::kMerge, std::move(body)));
  co_return Result<void>();
}

// The wall-clock time in nanoseconds, as in client-go, but never the same number twice.
std::string LoopEventSender::new_name(std::string_view object) {
  auto nanos = static_cast<std::uint64_t>(clock_.wall_now().time_since_epoch().count());
  last_number_ = std::max(nanos, last_number_ + 1);
  return event_name(object, last_number_);
}

}  // namespace

std::unique_ptr<EventSender> make_event_recorder(asio::any_io_executor executor, async::Clock& clock,
                                                 base::Random& random, Logger log, kube::Client& client,
                                                 EventOptions options) {
  return std::make_unique<LoopEventSender>(std::move(executor), clock, random, std::move(log), client,
                                           std::move(options));
}

}  // namespace keelson::controller
