#include "src/program/services.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <cstdlib>
#include <exception>

#include "keelson/async/task_group.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/detail/controller/debug_controllers.hpp"
#include "keelson/detail/controller/debug_objects.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/lifecycle/health.hpp"
#include "keelson/detail/lifecycle/http_service.hpp"
#include "keelson/detail/lifecycle/loop_lag.hpp"
#include "keelson/detail/lifecycle/manager.hpp"
#include "keelson/detail/metrics/process.hpp"
#include "keelson/detail/program/version.hpp"
#include "keelson/detail/tracing/tracer.hpp"
#include "keelson/metrics/registry.hpp"
#include "src/program/checks.hpp"
#include "src/program/endpoint_guard.hpp"
#include "src/program/first_answer.hpp"
#include "src/program/leadership.hpp"
#include "src/program/log_level.hpp"
#include "src/program/memory_trim.hpp"
#include "src/program/metrics_endpoint.hpp"
#include "src/program/profiling_endpoint.hpp"
#include "src/program/runnables.hpp"
#include "src/program/status_pages.hpp"
#include "src/program/watched_namespaces.hpp"
#include "src/program/webhooks.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

// The operator's version, or the library's if the operator declares none.
OperatorVersion shown_version(const Additions& additions) {
  return additions.version.version.empty() ? OperatorVersion{version(), commit()} : additions.version;
}

lifecycle::Group group_of(RunsOn runs_on) {
  return runs_on == RunsOn::kLeader ? lifecycle::Group::kControllers : lifecycle::Group::kOthers;
}

bool is_off(const std::string& bind_address) { return bind_address.empty() || bind_address == "0"; }

asio::awaitable<net::ServerReply> serve_objects(controller::ControllerRuntime& controllers, net::Request request) {
  net::ServerReply reply;
  reply.response = controller::debug_objects(controllers, request);
  co_return reply;
}

asio::awaitable<net::ServerReply> serve_controllers(controller::ControllerRuntime& controllers, net::Request request) {
  net::ServerReply reply;
  reply.response = controller::debug_controllers(controllers, request, access::user_of(request.headers));
  co_return reply;
}

asio::awaitable<net::ServerReply> serve_log_level(LogLevel& level, net::Request request) {
  net::ServerReply reply;
  reply.response = level.answer(request, access::user_of(request.headers));
  co_return reply;
}

// All services of the program, in the order of their construction.
class Services {
 public:
  Services(const ProgramParts& parts, const ParsedFlags& flags, AdjustableSink& sink)
      : parts_(parts),
        flags_(flags.flags),
        options_(flags.options),
        clock_(async::make_real_clock(loop_.get_executor())),
        errors_(sink, *clock_),
        log_(errors_),
        log_level_(*clock_, sink, log_.named("status")),
        random_(base::seed_from_os()),
        process_metrics_(registry_),
        metrics_endpoint_(loop_.get_executor(), *clock_, random_, log_, registry_, server_budget_),
        loop_lag_(loop_.get_executor(), *clock_, registry_),
        memory_trim_(loop_.get_executor(), *clock_),
        end_(loop_.get_executor()),
        manager_(*clock_, log_, options_.graceful_shutdown_timeout) {
    add_build_info(registry_, parts.syntax.name.text(), parts.additions.version);
  }

  // Everything that can fail before a service runs.
  [[nodiscard]] Result<void> build();
  // Returns after a signal or a failure, when all services have stopped.
  [[nodiscard]] Result<void> run();

 private:
  [[nodiscard]] Result<void> connect();
  [[nodiscard]] Result<void> build_services();
  void build_tracer();
  void build_controllers();
  void build_runnables();
  [[nodiscard]] std::vector<lifecycle::HttpEndpoint> build_pages();
  [[nodiscard]] std::vector<lifecycle::HttpEndpoint> build_settings();
  [[nodiscard]] controller::EventOptions event_options() const;
  [[nodiscard]] std::function<bool()> leader_fence();
  [[nodiscard]] controller::Context& context_of(RunsOn runs_on);
  [[nodiscard]] asio::awaitable<void> run_manager(Result<void>& result);

  asio::io_context loop_{1};
  const ProgramParts& parts_;
  const std::vector<zpages::FlagState>& flags_;
  const Options& options_;
  std::unique_ptr<async::Clock> clock_;
  zpages::ErrorLog errors_;
  Logger log_;
  LogLevel log_level_;
  base::Random random_;
  metrics::Registry registry_;
  metrics::ProcessMetrics process_metrics_;
  std::string ns_;                                   // the pod's, or that of the kubeconfig's context
  std::shared_ptr<kube::PluginCredentials> plugin_;  // of both clients; null without one
  LastFailure api_failure_;
  std::string api_url_;
  std::unique_ptr<FirstAnswer> first_answer_;
  std::unique_ptr<kube::Client> api_server_;
  std::unique_ptr<WatchedNamespaces> namespaces_;
  std::unique_ptr<Leadership> leadership_;       // none: this process leads always
  std::unique_ptr<kube::Client> leader_client_;  // null without leader election
  std::unique_ptr<tracing::Tracer> tracer_;      // null: traces are off
  std::unique_ptr<controller::ControllerRuntime> controllers_;
  std::vector<std::unique_ptr<async::Runnable>> runnables_;
  net::ServerBudget server_budget_;
  std::unique_ptr<Webhooks> webhooks_;
  lifecycle::HealthChecks checks_;
  std::unique_ptr<StatusPages> status_;
  std::unique_ptr<lifecycle::HttpService> health_;  // null: off
  MetricsEndpoint metrics_endpoint_;
  ProfilingEndpoint profiling_endpoint_;
  lifecycle::LoopLag loop_lag_;
  MemoryTrim memory_trim_;
  ProgramEnd end_;
  lifecycle::Manager manager_;
};

Result<void> Services::build() {
  profiling_endpoint_.start(options_.pprof_bind_address, *clock_, base::seed_from_os(), log_.named("setup"));
  auto connected = connect();
  if (!connected) return connected;
  try {
    build_tracer();
    build_controllers();
    build_runnables();
    return build_services();
  } catch (const base::Misuse& mistake) {
    return invalid_error(mistake.what());
  }
}

Result<void> Services::connect() {
  auto config = kube::load_connection(options_.kubeconfig, kube::process_environment());
  if (!config) return std::move(config.error()).with_context("unable to get kubeconfig");
  log_.info("Using API server", {{"server", config->server}, {"source", config->source}});
  for (const auto& warning : config->warnings) log_.info(warning);
  kube::RestClientOptions api_options;
  api_options.user_agent = user_agent(parts_.program, parts_.additions.version);
  api_options.operator_name = parts_.syntax.name;
  api_options.plugin = plugin_ = kube::make_plugin_credentials(loop_.get_executor(), *clock_, log_, *config);
  api_url_ = config->server;
  first_answer_ = std::make_unique<FirstAnswer>(loop_.get_executor(), *clock_, log_.named("setup"), api_url_);
  api_options.on_failure = [this](const Error& error) {
    api_failure_ = {error.message(), clock_->now()};
    first_answer_->observe(error);
  };
  api_options.on_answer = [this](const kube::Answer& answer) {
    first_answer_->observe(answer);
    if (controllers_) controllers_->observe(answer);
  };
  ns_ = config->ns;
  if (options_.dry_run) {
    const auto setup = log_.named("setup");
    setup.info("Dry run: nothing is stored, no Events are sent, and the controllers start without a lease");
    if (options_.leader_elect) setup.info("Dry run: --leader-elect has no effect");
  } else if (options_.leader_elect) {
    api_options.delivery_timeout = options_.leader_timing.delivery_timeout();
    leadership_ = std::make_unique<Leadership>(loop_.get_executor(), *clock_, random_, log_, registry_);
    auto built = leadership_->build(options_, *config, api_options);
    if (!built) return std::move(built.error()).with_context("unable to set up leader election");
    manager_.elect_by(leadership_->election().elector());
  }
  auto api_server = kube::make_rest_client(loop_.get_executor(), *clock_, random_, log_, registry_, std::move(*config),
                                           std::move(api_options));
  if (!api_server) {
    return std::move(api_server.error()).with_context("unable to set up the connection to the API server");
  }
  api_server_ = std::move(*api_server);
  return {};
}

// A mistake in the variables must not prevent the start: the program runs without traces.
void Services::build_tracer() {
  const auto setup = log_.named("setup");
  auto read = tracing::settings_from([](const char* name) -> const char* { return std::getenv(name); },
                                     {{"service.name", event_options().component},
                                      {"service.version", shown_version(parts_.additions).version},
                                      {"telemetry.sdk.name", "keelson"},
                                      {"telemetry.sdk.language", "cpp"},
                                      {"telemetry.sdk.version", version()}});
  for (const auto& problem : read.problems) setup.error(invalid_error(problem), "Invalid setting of traces");
  if (!read.settings) return;
  const auto endpoint = read.settings->origin.host + ":" + read.settings->origin.port + read.settings->target;
  auto made = tracing::make_tracer(loop_.get_executor(), *clock_, random_, log_, registry_, std::move(*read.settings));
  if (!made) return setup.error(made.error(), "Could not set up the export of traces; traces are off");
  setup.info("Exporting traces", {{"endpoint", endpoint}});
  tracer_ = std::move(*made);
  manager_.add(lifecycle::Group::kServers, *tracer_);
}

void Services::build_controllers() {
  auto executor = loop_.get_executor();
  if (leadership_) leader_client_ = leadership_->election().leader_client(*api_server_);
  controllers_ = std::make_unique<controller::ControllerRuntime>(
      controller::RuntimeParts{.executor = executor,
                               .clock = *clock_,
                               .random = random_,
                               .log = log_,
                               .registry = registry_,
                               .client = *api_server_,
                               .leader_client = leader_client_.get(),
                               .environment = [](const char* name) -> const char* { return std::getenv(name); },
                               .flags = options_.own_flags,
                               .events = event_options(),
                               .cache = {.sync_period = options_.sync_period, .namespaces = options_.watch_namespaces},
                               .controllers = {.max_concurrent_reconciles = options_.max_concurrent_reconciles},
                               .reconcile_history = static_cast<std::size_t>(options_.reconcile_history),
                               .history_folder = options_.reconcile_history_dir,
                               .is_dry_run = options_.dry_run,
                               .user_agent = parts_.syntax.name.text() + "/" + shown_version(parts_.additions).version,
                               .may_write = leader_fence(),
                               .tracer = tracer_.get()},
      parts_.controllers);
  manager_.add(lifecycle::Group::kCaches, controllers_->cache());
  if (!options_.watch_namespaces.empty()) {
    namespaces_ = std::make_unique<WatchedNamespaces>(executor, *clock_, log_.named("setup"), *api_server_,
                                                      options_.watch_namespaces);
    manager_.add(lifecycle::Group::kServers, *namespaces_);
  }
  for (const auto& service : controllers_->services()) {
    manager_.add(group_of(service.needs_leader_election ? RunsOn::kLeader : RunsOn::kEveryReplica), *service.runnable);
  }
  webhooks_ = std::make_unique<Webhooks>(executor, controllers_->context(), server_budget_, options_, ns_,
                                         controller::webhooks_of(parts_.controllers, parts_.additions.webhooks));
}

std::function<bool()> Services::leader_fence() {
  if (!leadership_) return {};
  return [&fence = leadership_->election().elector().fence()] { return fence.is_open(); };
}

controller::EventOptions Services::event_options() const {
  controller::EventOptions options;
  options.component = parts_.syntax.name.is_keelson() ? parts_.program : parts_.syntax.name.text();
  return options;
}

controller::Context& Services::context_of(RunsOn runs_on) {
  return runs_on == RunsOn::kLeader ? controllers_->leader_context() : controllers_->context();
}

void Services::build_runnables() {
  const auto on_failure = [this](const Error& error) { end_.fail(error); };
  for (const auto& runnable : parts_.additions.runnables) {
    auto& made = runnables_.emplace_back(
        make_function_runnable(loop_.get_executor(), context_of(runnable.runs_on), runnable, on_failure));
    manager_.add(group_of(runnable.runs_on), *made);
  }
}

Result<void> Services::build_services() {
  auto executor = loop_.get_executor();
  checks_ = make_health_checks(controllers_->cache(), parts_.additions);
  webhooks_->add_to(manager_, checks_);
  if (!is_off(options_.health_probe_bind_address)) {
    auto made = lifecycle::make_health_service(executor, *clock_, log_, server_budget_,
                                               options_.health_probe_bind_address, checks_, build_pages());
    if (!made) return std::move(made.error()).with_context("--health-probe-bind-address");
    health_ = std::move(*made);
    manager_.add(lifecycle::Group::kServers, *health_);
  }
  auto metrics_served = metrics_endpoint_.build(options_, controllers_->context().client,
                                                endpoints_of(controllers_->context(), parts_.additions));
  if (!metrics_served) return std::move(metrics_served.error()).with_context("--metrics-bind-address");
  metrics_endpoint_.add_to(manager_);
  auto profiles_served =
      profiling_endpoint_.build(options_.pprof_bind_address, executor, server_budget_,
                                {*clock_, random_, log_.named("pprof"), *api_server_, parts_.syntax.name.text()},
                                shown_command_line(parts_.program, flags_));
  if (!profiles_served) return std::move(profiles_served.error()).with_context("--pprof-bind-address");
  profiling_endpoint_.add_to(manager_);
  manager_.add(lifecycle::Group::kServers, loop_lag_);
  manager_.add(lifecycle::Group::kServers, memory_trim_);
  manager_.add(lifecycle::Group::kServers, *first_answer_);
  return {};
}

// /statusz, /flagz and /debug/objects, which are protected unless any client that reaches the pod can read /metrics,
// too.
std::vector<lifecycle::HttpEndpoint> Services::build_pages() {
  status_ =
      std::make_unique<StatusPages>(StatusSources{.executor = loop_.get_executor(),
                                                  .clock = *clock_,
                                                  .registry = registry_,
                                                  .loop_lag = loop_lag_,
                                                  .controllers = *controllers_,
                                                  .cache = controllers_->cache(),
                                                  .elector = leadership_ ? &leadership_->election().elector() : nullptr,
                                                  .webhooks = *webhooks_,
                                                  .metrics_endpoint = metrics_endpoint_,
                                                  .log_level = &log_level_,
                                                  .servers = server_budget_,
                                                  .errors = errors_,
                                                  .api_failure = api_failure_,
                                                  .api_server = api_url_,
                                                  .program = parts_.program,
                                                  .version = shown_version(parts_.additions),
                                                  .is_dry_run = options_.dry_run,
                                                  .flags = flags_});
  status_->add_to(manager_);
  auto pages =
      status_->endpoints({std::string(controller::kDebugObjectsPath), std::string(controller::kDebugControllersPath),
                          std::string(kLogLevelPath), "/readyz?verbose", "/healthz?verbose"});
  pages.push_back({std::string(controller::kDebugObjectsPath),
                   [this](net::Request request) { return serve_objects(*controllers_, std::move(request)); }});
  auto settings = build_settings();
  const EndpointGuard guard{*clock_, random_, log_.named("status"), *api_server_, parts_.syntax.name.text()};
  const auto environment = environment_by([](const char* name) { return std::getenv(name); });
  if (decide_metrics(options_, environment).is_open) {
    auto open = unguarded(std::move(pages));
    auto protected_settings = guarded(std::move(settings), guard);
    open.insert(open.end(), protected_settings.begin(), protected_settings.end());
    return open;
  }
  pages.insert(pages.end(), settings.begin(), settings.end());
  return guarded(std::move(pages), guard);
}

// The pages that change the process. They are protected in any case: a client that may read the metrics must not be
// able to stop a controller.
std::vector<lifecycle::HttpEndpoint> Services::build_settings() {
  std::vector<lifecycle::HttpEndpoint> settings{{std::string(kLogLevelPath), [this](net::Request request) {
                                                   return serve_log_level(log_level_, std::move(request));
                                                 }}};
  for (const auto& path : controller::debug_controllers_paths(*controllers_)) {
    settings.push_back(
        {path, [this](net::Request request) { return serve_controllers(*controllers_, std::move(request)); }});
  }
  return settings;
}

Result<void> Services::run() {
  Result<void> result;
  async::TaskGroup tasks(loop_.get_executor());
  tasks.spawn(run_manager(result));
  loop_.run();
  return result;
}

// An exception must not end the program with exit code 0.
asio::awaitable<void> Services::run_manager(Result<void>& result) {
  try {
    result = co_await manager_.run([this] { return end_.wait(); });
    if (end_.failure()) result = *end_.failure();
  } catch (const std::exception& exception) {
    result = invalid_error("unhandled exception: " + std::string(exception.what()));
  }
  co_await end_.stop();
  co_await kube::stop_plugin(plugin_);
}

}  // namespace

int run_program(const ProgramParts& parts, const ParsedFlags& flags, AdjustableSink& sink) {
  auto setup = Logger(sink).named("setup");
  Services services(parts, flags, sink);
  auto built = services.build();
  if (!built) {
    setup.error(built.error(), "unable to start manager");
    return EXIT_FAILURE;
  }
  const auto own = shown_version(parts.additions);
  setup.info("Starting manager", {{"version", own.version}, {"commit", own.commit}, {"keelson", version()}});
  auto ended = services.run();
  if (!ended) {
    setup.error(ended.error(), "problem running manager");
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}

}  // namespace keelson::program
