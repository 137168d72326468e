#include "src/net/lookups.hpp"

#include <algorithm>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/query.hpp>
#include <optional>
#include <utility>

#include "keelson/detail/async/notify.hpp"

namespace keelson::net {
namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

struct Lookups::Lookup {
  std::string host;
  std::string port;
  int askers = 0;
  async::Notify ended;
  std::optional<Answer> answer;
};

// Counts as a waiting caller until its destruction.
class Lookups::Asker {
 public:
  Asker(Lookups& lookups, LookupPtr lookup) : lookups_(lookups), lookup_(std::move(lookup)) { ++lookup_->askers; }
  Asker(const Asker&) = delete;
  Asker& operator=(const Asker&) = delete;
  ~Asker() {
    --lookup_->askers;
    lookups_.leave(lookup_);
  }

 private:
  Lookups& lookups_;
  LookupPtr lookup_;
};

Lookups::Lookups(Resolve resolve) : resolve_(std::move(resolve)) {}

asio::awaitable<Lookups::Answer> Lookups::find(std::string host, std::string port) {
  auto lookup = join(host, port);
  Asker asker(*this, lookup);
  while (!lookup->answer) co_await lookup->ended.wait();
  co_return *lookup->answer;
}

Lookups::LookupPtr Lookups::join(const std::string& host, const std::string& port) {
  auto is_same = [&](const LookupPtr& other) { return other->host == host && other->port == port; };
  auto found = std::ranges::find_if(queue_, is_same);
  if (found != queue_.end()) return *found;
  auto lookup = std::make_shared<Lookup>();
  lookup->host = host;
  lookup->port = port;
  queue_.push_back(lookup);
  if (queue_.size() == 1) begin_first();
  return lookup;
}

void Lookups::leave(const LookupPtr& lookup) {
  bool has_begun = !queue_.empty() && queue_.front() == lookup;
  if (lookup->askers == 0 && !has_begun) std::erase(queue_, lookup);
}

void Lookups::begin_first() {
  const auto& first = *queue_.front();
  resolve_(first.host, first.port, [this](Answer answer) { end_first(std::move(answer)); });
}

void Lookups::end_first(Answer answer) {
  auto first = std::move(queue_.front());
  queue_.pop_front();
  first->answer = std::move(answer);
  first->ended.notify_all();
  if (!queue_.empty()) begin_first();
}

namespace {

Lookups::Resolve by_system(asio::any_io_executor executor) {
  return [executor](std::string host, std::string port, std::function<void(Lookups::Answer)> on_end) {
    auto resolver = std::make_shared<tcp::resolver>(executor);
    auto tell = [resolver, on_end = std::move(on_end)](error_code failed, const tcp::resolver::results_type& results) {
      Lookups::Answer answer{failed, {}};
      for (const auto& entry : results) answer.endpoints.push_back(entry.endpoint());
      on_end(std::move(answer));
    };
    resolver->async_resolve(host, port, tcp::resolver::numeric_service, std::move(tell));
  };
}

// Stores the lookups in their loop.
class LookupsOfLoop final : public asio::execution_context::service {
 public:
  inline static asio::execution_context::id id;  // identifies the service to Asio

  explicit LookupsOfLoop(asio::execution_context& context) : service(context) {}
  std::optional<Lookups> lookups;

 private:
  void shutdown() override {}  // no caller waits any more: the loop's tasks have been joined
};

std::optional<Lookups>& slot_of(const asio::any_io_executor& executor) {
  auto& context = asio::query(executor, asio::execution::context);
  return asio::use_service<LookupsOfLoop>(context).lookups;
}

}  // namespace

Lookups& lookups_of(const asio::any_io_executor& executor) {
  auto& lookups = slot_of(executor);
  if (!lookups) lookups.emplace(by_system(executor));
  return *lookups;
}

Lookups& set_resolver(const asio::any_io_executor& executor, Lookups::Resolve resolve) {
  return slot_of(executor).emplace(std::move(resolve));
}

}  // namespace keelson::net
