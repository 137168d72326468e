#include "tools/reference/metric_families.hpp"

#include <boost/asio/io_context.hpp>
#include <exception>
#include <memory>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/run_until.hpp"
#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/controller/webhook_configurations.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/leader/election.hpp"
#include "keelson/detail/lifecycle/loop_lag.hpp"
#include "keelson/detail/metrics/process.hpp"
#include "keelson/detail/program/version.hpp"
#include "keelson/detail/sandbox/api_server.hpp"
#include "keelson/detail/tracing/tracer.hpp"
#include "keelson/detail/webhook/server.hpp"
#include "keelson/program/operator.hpp"
#include "src/kinds/built_in.hpp"

namespace keelson::reference {
namespace asio = boost::asio;

namespace {

class SilentSink final : public LogSink {
 public:
  bool enabled(Level, int) const override { return false; }
  void write(const Line&) override {}
};

// The services of src/program/services.cpp that have metrics. test/cluster/metrics_page_test.cpp compares the
// page with the metrics of a real manager, and so finds missing services.
class Services {
 public:
  explicit Services(const std::vector<controller::Definition>& definitions)
      : clock_(async::make_real_clock(loop_.get_executor())),
        random_(1),
        log_(sink_),
        process_(registry_),
        loop_lag_(loop_.get_executor(), *clock_, registry_),
        server_(*clock_, random_),
        election_(loop_.get_executor(), *clock_, random_, log_, registry_, client_,
                  {.lease = kube::Key("default", "keelson-manager"), .identity = leader::make_identity(random_)}) {
    program::add_build_info(registry_, kinds::kOperatorName, {program::version(), program::commit()});
    for (const auto& definition : definitions) {
      for (const auto& kind : definition.parts().kinds) server_.serve(kind);
    }
    make_connection();
    make_controllers(definitions);
    make_webhooks(definitions);
  }

  // Some series exist after the start, and some after the first scrape.
  void start_and_stop() {
    async::TaskGroup tasks(loop_.get_executor());
    tasks.spawn(run_safely());
    async::run_until(loop_, [&] { return tasks.empty(); });
    if (failure_) std::rethrow_exception(failure_);
  }

  [[nodiscard]] const metrics::Registry& registry() const { return registry_; }

 private:
  // Sends no request: the other services use the client of the API server in this process.
  void make_connection() {
    kube::ConnectionConfig config;
    config.server = "http://localhost";
    auto url = net::parse_server_url(config.server);
    KEELSON_ASSERT(url.has_value());
    config.url = std::move(*url);
    auto made = kube::make_rest_client(loop_.get_executor(), *clock_, random_, log_, registry_, std::move(config), {});
    KEELSON_ASSERT(made.has_value());
    connection_ = std::move(*made);
  }

  void make_controllers(const std::vector<controller::Definition>& definitions) {
    controllers_ = std::make_unique<controller::ControllerRuntime>(
        controller::RuntimeParts{.executor = loop_.get_executor(),
                                 .clock = *clock_,
                                 .random = random_,
                                 .log = log_,
                                 .registry = registry_,
                                 .client = client_,
                                 .environment = [](const char*) -> const char* { return nullptr; },
                                 .events = {"manager", "host"}},
        definitions);
  }

  void make_webhooks(const std::vector<controller::Definition>& definitions) {
    webhook::register_series(registry_);
    controller::register_dry_run_series(registry_);
    tracing::register_series(registry_);
    webhooks_ = webhook::make_server(
        loop_.get_executor(), *clock_, log_, registry_, budget_,
        controller::serve_webhooks(controller::webhooks_of(definitions), controllers_->context()), {});
  }

  asio::awaitable<void> run_safely() {
    try {
      co_await run();
    } catch (...) {
      failure_ = std::current_exception();
    }
  }

  asio::awaitable<void> run() {
    std::vector<async::Runnable*> runnables{&controllers_->cache()};
    for (const auto& service : controllers_->services()) runnables.push_back(service.runnable);
    for (auto* runnable : runnables) {
      auto started = co_await runnable->start();
      KEELSON_ASSERT(started.has_value());
    }
    static_cast<void>(registry_.text());
    for (auto it = runnables.rbegin(); it != runnables.rend(); ++it) {
      (*it)->abort();
      co_await (*it)->stop();
    }
  }

  std::exception_ptr failure_;
  asio::io_context loop_{1};
  std::unique_ptr<async::Clock> clock_;
  base::Random random_;
  SilentSink sink_;
  Logger log_;
  metrics::Registry registry_;
  net::ServerBudget budget_;
  metrics::ProcessMetrics process_;
  lifecycle::LoopLag loop_lag_;
  sandbox::ApiServer server_;
  kube::Client& client_ = server_.client("manager");
  std::unique_ptr<kube::Client> connection_;
  leader::Election election_;
  std::unique_ptr<controller::ControllerRuntime> controllers_;
  std::unique_ptr<webhook::Server> webhooks_;
};

}  // namespace

std::vector<metrics::FamilyFacts> metric_families(const std::vector<controller::Definition>& definitions) {
  Services services(definitions);
  services.start_and_stop();
  return services.registry().families();
}

}  // namespace keelson::reference
