#include "keelson/program/api_session.hpp"

#include <boost/asio/io_context.hpp>
#include <optional>

#include "keelson/async/task_group.hpp"
#include "keelson/base/try.hpp"
#include "keelson/detail/async/is_cancelled.hpp"
#include "keelson/detail/async/run_until.hpp"
#include "keelson/detail/async/signals.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/kube/rest_client.hpp"
#include "keelson/detail/kubeconfig/config.hpp"
#include "keelson/detail/program/version.hpp"
#include "keelson/metrics/registry.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

Result<kube::ConnectionConfig> plain_connection(const std::string& server) {
  kube::ConnectionConfig config;
  config.server = server;
  config.source = "the command line";
  KEELSON_LET(config.url, net::parse_server_url(server));
  return config;
}

}  // namespace

using Work = std::function<Task<void>()>;

class ApiSession::State {
 public:
  explicit State(LogSink& sink) : log_(sink), clock_(async::make_real_clock(loop_.get_executor())) {}

  [[nodiscard]] Result<void> build(ApiSessionOptions options);
  [[nodiscard]] Result<void> run(Work work);

  [[nodiscard]] kube::Client& client() { return *client_; }
  [[nodiscard]] async::Clock& clock() { return *clock_; }
  [[nodiscard]] asio::any_io_executor executor() { return loop_.get_executor(); }
  [[nodiscard]] const std::string& ns() const { return ns_; }
  [[nodiscard]] const std::string& server() const { return server_; }
  [[nodiscard]] const std::string& source() const { return source_; }

 private:
  [[nodiscard]] asio::awaitable<void> perform(Work work, std::optional<Result<void>>& ended);
  [[nodiscard]] asio::awaitable<void> watch_signals(async::TaskGroup& workers);
  [[nodiscard]] asio::awaitable<void> stop(async::TaskGroup& watchers);

  asio::io_context loop_{1};
  Logger log_;
  std::unique_ptr<async::Clock> clock_;
  base::Random random_{base::seed_from_os()};
  metrics::Registry registry_;
  std::shared_ptr<kube::PluginCredentials> plugin_;
  std::unique_ptr<kube::Client> client_;
  std::string ns_;
  std::string server_;
  std::string source_;
};

Result<void> ApiSession::State::build(ApiSessionOptions options) {
  auto config = options.server.empty() ? kube::load_connection(options.kubeconfig, kube::process_environment())
                                       : plain_connection(options.server);
  if (!config && !options.server.empty()) return std::move(config.error());
  if (!config) return std::move(config.error()).with_context("unable to get kubeconfig");
  for (const auto& warning : config->warnings) log_.info(warning);
  ns_ = config->ns;
  server_ = config->server;
  source_ = config->source;
  kube::RestClientOptions client;
  client.user_agent = user_agent(options.program);
  client.operator_name = std::move(options.name);
  client.request_timeout = options.request_timeout;
  client.plugin = plugin_ = kube::make_plugin_credentials(loop_.get_executor(), *clock_, log_, *config);
  auto made = kube::make_rest_client(loop_.get_executor(), *clock_, random_, log_, registry_, std::move(*config),
                                     std::move(client));
  if (!made) return std::move(made.error()).with_context("unable to set up the connection to the API server");
  client_ = std::move(*made);
  return {};
}

Result<void> ApiSession::State::run(Work work) {
  std::optional<Result<void>> ended;
  async::TaskGroup workers(loop_.get_executor());
  async::TaskGroup watchers(loop_.get_executor());
  workers.spawn(perform(std::move(work), ended));
  watchers.spawn(watch_signals(workers));
  async::run_until(loop_, [&] { return workers.empty(); });
  watchers.stop();
  async::TaskGroup last(loop_.get_executor());
  last.spawn(stop(watchers));
  async::run_until(loop_, [&] { return watchers.empty() && last.empty(); });
  if (!ended) return timeout_error("canceled by a signal");
  return std::move(*ended);
}

asio::awaitable<void> ApiSession::State::perform(Work work, std::optional<Result<void>>& ended) {
  try {
    auto result = co_await work();
    ended = std::move(result);
  } catch (const std::exception& exception) {
    if (async::is_cancelled(std::current_exception())) throw;
    ended = invalid_error("unhandled exception: " + std::string(exception.what()));
  }
}

asio::awaitable<void> ApiSession::State::watch_signals(async::TaskGroup& workers) {
  co_await async::wait_for_stop_signal();
  workers.stop();
}

// An exec plugin must not outlive the command.
asio::awaitable<void> ApiSession::State::stop(async::TaskGroup& watchers) {
  co_await watchers.join();
  co_await kube::stop_plugin(plugin_);
}

ApiSession::ApiSession(std::unique_ptr<State> state) : state_(std::move(state)) {}
ApiSession::~ApiSession() = default;

Result<std::unique_ptr<ApiSession>> ApiSession::connect(ApiSessionOptions options, LogSink& sink) {
  auto state = std::make_unique<State>(sink);
  KEELSON_TRY(state->build(std::move(options)));
  return std::unique_ptr<ApiSession>(new ApiSession(std::move(state)));
}

Result<void> ApiSession::run(Work work) { return state_->run(std::move(work)); }
kube::Client& ApiSession::client() { return state_->client(); }
async::Clock& ApiSession::clock() { return state_->clock(); }
asio::any_io_executor ApiSession::executor() { return state_->executor(); }
const std::string& ApiSession::ns() const { return state_->ns(); }
const std::string& ApiSession::server() const { return state_->server(); }
const std::string& ApiSession::source() const { return state_->source(); }

}  // namespace keelson::program
