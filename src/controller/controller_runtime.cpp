#include "keelson/detail/controller/controller_runtime.hpp"

#include <utility>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "src/controller/concurrency_limiter.hpp"
#include "src/controller/condition_metrics.hpp"
#include "src/controller/controller.hpp"
#include "src/controller/dry_run_client.hpp"
#include "src/controller/history_store.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

// The recorder of a dry run: an Event is a write.
class EventLog final : public EventSender {
 public:
  explicit EventLog(Logger log) : log_(std::move(log)) {}

  [[nodiscard]] std::string name() const override { return "event log"; }
  [[nodiscard]] Task<void> start() override { co_return Result<void>(); }
  [[nodiscard]] asio::awaitable<void> stop() override { co_return; }
  void record(const kube::Resource& resource, const kube::Object& regarding, Type type, std::string reason,
              std::string action, std::string note) override {
    log_.debug("Dry run: the Event is not sent", {{"kind", resource.kind},
                                                  {"namespace", regarding.ns()},
                                                  {"name", regarding.name()},
                                                  {"type", type == Type::kNormal ? "Normal" : "Warning"},
                                                  {"reason", reason},
                                                  {"action", action},
                                                  {"note", note}});
  }

 private:
  Logger log_;
};

constexpr const char* kNotInDryRun =
    "a dry run changes nothing outside of the cluster either; ask pass.is_dry_run() before the request";

std::string variable_in(const std::function<const char*(const char*)>& environment, const std::string& name) {
  const auto* value = environment ? environment(name.c_str()) : nullptr;
  return value == nullptr ? std::string() : std::string(value);
}

// `rules` has the limits on writes.
std::unique_ptr<net::UrlClient> make_url_client(const RuntimeParts& parts, net::UrlClientParts rules) {
  rules.make = parts.make_http_client;
  if (!rules.make) {
    rules.make = [executor = parts.executor, &clock = parts.clock](net::ClientOptions options) {
      return net::make_http_client(executor, clock, std::move(options));
    };
  }
  rules.user_agent = parts.user_agent.empty() ? parts.client.operator_name().text() : parts.user_agent;
  rules.proxy_of = [environment = parts.environment](const net::Origin& origin) {
    const auto variable = [&environment](const std::string& name) { return variable_in(environment, name); };
    return net::proxy_from_environment(variable, origin.tls, origin.host, origin.port);
  };
  return std::make_unique<net::UrlClient>(std::move(rules));
}

int workers_of(const std::vector<Definition>& definitions, const ControllerOptions& options, bool is_dry_run) {
  int sum = 0;
  for (const auto& definition : definitions) sum += worker_count(definition, options, is_dry_run);
  return sum;
}

}  // namespace

ControllerRuntime::ControllerRuntime(RuntimeParts parts, const std::vector<Definition>& definitions)
    : cache_(cache::make_cache(parts.executor, parts.clock, parts.random, parts.log, parts.client, parts.registry,
                               std::move(parts.cache))) {
  KEELSON_ASSERT(!parts.is_dry_run || parts.leader_client == nullptr);
  for (const auto& definition : definitions) {
    parts.flags = with_defaults(definition.parts().flags, std::move(parts.flags));
  }
  every_replica_ = parts.is_dry_run ? make_dry_run(parts, parts.log) : make_writers(parts, parts.client);
  services_.push_back({every_replica_.events.get(), false});
  if (parts.leader_client != nullptr) {
    leader_ = make_writers(parts, *parts.leader_client);
    // The recorder sends the Events of the leader's controllers after these have stopped, while the fence still lets
    // writes pass.
    services_.push_back({leader_.events.get(), false});
  }
  if (parts.reconcile_history > 0) history_ = std::make_unique<ReconcileHistory>(parts.reconcile_history);
  limiter_ = std::make_unique<ConcurrencyLimiter>(parts.clock, parts.log, parts.registry,
                                                  workers_of(definitions, parts.controllers, parts.is_dry_run));
  const SharedParts shared{history_.get(), limiter_.get(), parts.tracer};
  const auto first_controller = services_.size();
  for (const auto& definition : definitions) {
    const bool needs_leader_election = definition.parts().settings.needs_leader_election;
    auto& made = controllers_.emplace_back(std::make_unique<RunningController>(
        parts.executor, context_of(parts, definition), definition, parts.controllers, shared));
    services_.push_back({made.get(), needs_leader_election});
  }
  counted_ = count_conditions(*cache_, parts.registry, definitions);
  if (history_ == nullptr || parts.history_folder.empty()) return;
  store_history(parts);
  // It starts before the controllers and stops after them.
  services_.insert(services_.begin() + static_cast<std::ptrdiff_t>(first_controller), {history_store_.get(), false});
}

ControllerRuntime::~ControllerRuntime() = default;

// The ids of the history are those of the controllers in their order.
void ControllerRuntime::store_history(const RuntimeParts& parts) {
  std::vector<std::string> names;
  for (const auto& controller : controllers_) names.push_back(controller->definition().name());
  history_store_ = std::make_unique<HistoryStore>(parts.executor, parts.clock, parts.log.named("reconcile-history"),
                                                  *history_, std::move(names), parts.history_folder);
  history_store_->load();
}

void ControllerRuntime::observe(const kube::Answer& answer) { limiter_->observe(answer); }

ConcurrencyStatus ControllerRuntime::concurrency() const {
  return {limiter_->limit(), limiter_->workers(), limiter_->in_use()};
}

std::vector<ControllerStatus> ControllerRuntime::status() const {
  std::vector<ControllerStatus> all;
  for (const auto& controller : controllers_) all.push_back(controller->status());
  return all;
}

std::vector<UnhealthyKind> ControllerRuntime::unhealthy() const { return unhealthy_kinds(counted_); }

// In a dry run each controller has a client of its own, which observes whether the controller repeats its writes.
Context& ControllerRuntime::context_of(const RuntimeParts& parts, const Definition& definition) {
  if (!parts.is_dry_run) return definition.parts().settings.needs_leader_election ? leader_context() : context();
  auto log = parts.log.with({{"controller", definition.name()}});
  return *dry_runs_.emplace_back(make_dry_run(parts, std::move(log))).context;
}

ControllerRuntime::Writers ControllerRuntime::make_writers(const RuntimeParts& parts, kube::Client& client) {
  Writers writers;
  writers.client = cache::read_your_writes(client, *cache_);
  writers.events = make_event_recorder(parts.executor, parts.clock, parts.random, parts.log, client, parts.events);
  const bool is_fenced = &client == parts.leader_client;
  writers.http = make_url_client(parts, {.may_send = is_fenced ? parts.may_write : std::function<bool()>()});
  writers.context = make_context(parts, writers);
  return writers;
}

// Nothing is stored, so there are no own writes to read.
ControllerRuntime::Writers ControllerRuntime::make_dry_run(const RuntimeParts& parts, Logger log) {
  Writers writers;
  auto client = std::make_unique<DryRunClient>(parts.client, *cache_, log, parts.registry);
  auto* dry_run = client.get();
  writers.client = std::move(client);
  writers.events = std::make_unique<EventLog>(std::move(log));
  writers.http = make_url_client(parts, {.refuses_writes = kNotInDryRun});
  writers.context = make_context(parts, writers);
  writers.context->dry_run = dry_run;
  return writers;
}

std::unique_ptr<Context> ControllerRuntime::make_context(const RuntimeParts& parts, const Writers& writers) {
  auto context = std::make_unique<Context>(Context{parts.clock, parts.random, parts.log, *writers.client, *cache_,
                                                   *writers.events, parts.registry, parts.environment, parts.flags});
  context->url_client = writers.http.get();
  context->entropy = parts.entropy;
  return context;
}

}  // namespace keelson::controller
