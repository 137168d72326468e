#include "keelson/detail/kubeconfig/plugin_credentials.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/async/timeout.hpp"

namespace keelson::kube {
using boost::asio::awaitable;

PluginCredentials::PluginCredentials(boost::asio::any_io_executor executor, async::Clock& clock, Logger log,
                                     ExecPlugin plugin, RunProgram run, Terminal terminal)
    : clock_(clock),
      log_(std::move(log)),
      plugin_(std::move(plugin)),
      run_(std::move(run)),
      terminal_(terminal),
      next_run_(clock.now()),
      runs_(std::move(executor)) {}

Task<PluginCredentials::Credential> PluginCredentials::current() {
  while (!runs_.stopped()) {
    if (runs_.empty()) {
      if (auto answer = known()) co_return std::move(*answer);
      runs_.spawn(run());
    }
    co_await runs_.drain();
  }
  co_return transport_error("getting credentials: stopped (" + plugin_.owner + ")");
}

awaitable<void> PluginCredentials::stop() {
  runs_.stop();
  co_await runs_.join();
}

void PluginCredentials::reject(const Credential& sent) { is_rejected_ = is_rejected_ || sent == credential_; }

std::optional<Result<PluginCredentials::Credential>> PluginCredentials::known() const {
  bool is_expired = credential_ && credential_->expires && clock_.wall_now() > *credential_->expires;
  if (credential_ && !is_expired && !is_rejected_) return credential_;
  if (clock_.now() >= next_run_) return std::nullopt;
  if (failure_) return *failure_;
  return credential_;  // rejected or expired, but a new run must wait for kPause
}

awaitable<void> PluginCredentials::run() {
  auto fresh = co_await ask();
  next_run_ = clock_.now() + kPause;
  failure_.reset();
  if (!fresh) {
    failure_ = std::move(fresh.error()).with_context("getting credentials");
    failure_->text += " (" + plugin_.owner + ")";
    co_return;
  }
  is_rejected_ = false;
  // An equal credential keeps its identity, because callers compare pointers.
  if (!credential_ || *credential_ != *fresh) credential_ = std::make_shared<PluginCredential>(std::move(*fresh));
}

Task<PluginCredential> PluginCredentials::ask() {
  KEELSON_CO_LET(auto terminal, terminal_for(plugin_, terminal_));
  bool at_terminal = terminal == Terminal::kAttached;
  ProgramCall call;
  call.arguments.push_back(plugin_.command);
  call.arguments.insert(call.arguments.end(), plugin_.arguments.begin(), plugin_.arguments.end());
  call.variables = plugin_.variables;
  call.variables.emplace_back(kExecInfoVariable, exec_info(plugin_, terminal));
  call.at_terminal = at_terminal;
  call.on_error_line = [this](std::string_view line) {
    log_.info("Exec plugin wrote to standard error", {{"command", plugin_.command}, {"stderr", line}});
  };
  async::Duration limit = limits::kPluginTime;
  if (at_terminal) limit = limits::kPluginTimeAtTerminal;
  auto running = run_(std::move(call));
  auto what = "exec: executable " + plugin_.command;
  auto end = co_await async::with_timeout(clock_, limit, std::move(what), std::move(running));
  if (!end && end.error().kind == Error::Kind::kInvalid && !plugin_.install_hint.empty()) {
    end.error().text += "; " + plugin_.install_hint;
  }
  if (!end) co_return std::move(end).error();
  co_return read(*end);
}

Result<PluginCredential> PluginCredentials::read(const ProgramEnd& end) const {
  if (end.exit_code == 0) return parse_exec_credential(end.output, plugin_.api_version);
  auto text = "exec: executable " + plugin_.command + " failed with exit code " + std::to_string(end.exit_code);
  if (!end.last_errors.empty()) text += ": " + end.last_errors;
  return transport_error(std::move(text));
}

}  // namespace keelson::kube
