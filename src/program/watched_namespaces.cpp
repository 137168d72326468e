#include "src/program/watched_namespaces.hpp"

#include <set>
#include <utility>

#include "keelson/detail/kube/dry_run.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::program {
namespace asio = boost::asio;

namespace {

kube::ApiRequest probe_of(const std::string& ns) {
  json::Writer body;
  body.begin_object().field("apiVersion", "v1").field("kind", "Event");
  body.key("metadata").begin_object().field("name", "watched-namespace").field("namespace", ns).end_object();
  body.key("involvedObject").begin_object().field("kind", "Namespace").field("namespace", ns).field("name", ns);
  body.end_object().field("type", "Normal").field("reason", "Watched").field("message", "not stored").end_object();
  kube::ApiRequest request;
  request.verb = kube::Verb::kCreate;
  request.resource = kube::core_events();
  request.key = kube::Key(ns, "");
  request.body = std::move(body).take();
  kube::make_dry_run(request);
  return request;
}

}  // namespace

Task<void> WatchedNamespaces::start() {
  tasks_.spawn(observe());
  co_return Result<void>();
}

asio::awaitable<void> WatchedNamespaces::stop() {
  tasks_.stop();
  co_await tasks_.join();
}

asio::awaitable<WatchedNamespaces::State> WatchedNamespaces::check(std::string ns) {
  const auto reply = co_await client_.send(probe_of(ns));
  if (reply) co_return State::kExists;
  if (kube::is_not_found(reply.error())) co_return State::kMissing;
  // A server that is overloaded or fails has not looked for it. Any other rejection is that of an existing namespace,
  // or of a missing permission.
  const auto& error = reply.error();
  const bool is_rejection = error.kind == Error::Kind::kStatus && error.code != 429 && error.code < 500;
  co_return is_rejection ? State::kExists : State::kUnknown;
}

asio::awaitable<void> WatchedNamespaces::observe() {
  std::set<std::string> missing;
  while (!names_.empty()) {
    std::vector<std::string> later;
    for (const auto& ns : names_) {
      const auto state = co_await check(ns);
      if (state != State::kExists) later.push_back(ns);
      if (state == State::kMissing && missing.insert(ns).second) {
        log_.error(invalid_error("namespaces \"" + ns + "\" not found: correct --watch-namespaces, or create it"),
                   "A namespace of --watch-namespaces does not exist, so nothing is reconciled for it",
                   {{"namespace", ns}});
      }
      if (state == State::kExists && missing.erase(ns) > 0) {
        log_.info("The namespace of --watch-namespaces exists now", {{"namespace", ns}});
      }
    }
    names_ = std::move(later);
    if (!names_.empty()) co_await async::sleep_for(clock_, kAgain);
  }
}

}  // namespace keelson::program
