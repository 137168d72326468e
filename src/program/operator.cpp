#include "keelson/program/operator.hpp"

#include <algorithm>
#include <string_view>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/misuse.hpp"
#include "src/program/run_with.hpp"

namespace keelson {

Operator& Operator::version(std::string version, std::string commit) {
  additions_.version = {std::move(version), std::move(commit)};
  return *this;
}

Operator& Operator::add(controller::Definition definition) {
  controllers_.push_back(std::move(definition));
  return *this;
}

Operator& Operator::runnable(std::string name, std::function<Task<void>(controller::Context&)> function,
                             program::RunsOn runs_on) {
  additions_.runnables.push_back({std::move(name), std::move(function), runs_on});
  return *this;
}

Operator& Operator::healthz(std::string name, std::function<Result<void>()> check) {
  additions_.healthz.push_back({std::move(name), std::move(check)});
  return *this;
}

Operator& Operator::readyz(std::string name, std::function<Result<void>()> check) {
  additions_.readyz.push_back({std::move(name), std::move(check)});
  return *this;
}

Operator& Operator::handle(
    std::string path,
    std::function<boost::asio::awaitable<net::Response>(controller::Context&, net::Request)> handler) {
  additions_.endpoints.push_back({std::move(path), std::move(handler)});
  return *this;
}

Operator& Operator::command(program::Command command) {
  additions_.commands.push_back(std::move(command));
  return *this;
}

Operator& Operator::webhook(webhook::Webhook webhook) {
  additions_.webhooks.push_back(std::move(webhook));
  return *this;
}

Operator& Operator::rbac(controller::Permission permission) {
  additions_.permissions.push_back(std::move(permission));
  return *this;
}

int Operator::run(int argc, char** argv) const {
  return program::run_with(name_, argc, argv, controllers_, additions_);
}

namespace program {

namespace {

// The names of one sort of declarations, including those that every program has.
class Names {
 public:
  Names(std::string_view what, std::vector<std::string_view> taken) : what_(what), taken_(std::move(taken)) {}

  void add(const std::string& name, bool has_function) {
    const auto named = std::string(what_) + " " + base::quote_go(name);
    if (name.empty()) throw base::Misuse(named + " needs a name");
    if (!has_function) throw base::Misuse(named + " has no function: pass one that is not empty");
    if (std::ranges::find(taken_, name) != taken_.end()) {
      throw base::Misuse(named + " exists already: give this one another name");
    }
    taken_.push_back(name);
  }

 private:
  std::string_view what_;
  std::vector<std::string_view> taken_;  // of the declarations, which outlive this
};

// Requests have these characters percent-encoded, or they end the path.
bool is_plain(std::string_view text) { return text.find_first_of("?#% \t") == std::string_view::npos; }

void check_checks(std::string_view endpoint, const std::vector<NamedCheck>& checks,
                  std::vector<std::string_view> taken) {
  const auto what = "the check of " + std::string(endpoint);
  Names names(what, std::move(taken));
  for (const auto& check : checks) {
    if (!is_plain(check.name) || check.name.find('/') != std::string::npos) {
      throw base::Misuse(what + " " + base::quote_go(check.name) + " cannot be a part of the path " +
                         std::string(endpoint) + "/NAME: use letters, digits and dashes");
    }
    names.add(check.name, check.function != nullptr);
  }
}

}  // namespace

void check_additions(const Additions& additions) {
  Names runnables("the runnable", {});
  for (const auto& runnable : additions.runnables) runnables.add(runnable.name, runnable.function != nullptr);
  check_checks("/healthz", additions.healthz, {"healthz"});
  check_checks("/readyz", additions.readyz, {"readyz", "caches", "fresh", "webhook"});
  Names endpoints("the endpoint", {"/metrics"});
  for (const auto& endpoint : additions.endpoints) {
    if (!endpoint.path.starts_with('/') || !is_plain(endpoint.path)) {
      throw base::Misuse(
          "the endpoint " + base::quote_go(endpoint.path) +
          " is not a path: it must begin with a slash and must not have a query, for example \"/backups\"");
    }
    endpoints.add(endpoint.path, endpoint.function != nullptr);
  }
}

}  // namespace program

}  // namespace keelson
