// The name lookups of a loop: one at a time, and none twice at the same time.
//
// Asio has a single thread for lookups and cannot cancel those that it has begun or queued. During an outage of DNS,
// each lookup takes long, and callers time out and try again. To keep lookups from accumulating in Asio's queue, those
// that have not begun wait here.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/system/error_code.hpp>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace keelson::net {

class Lookups {
 public:
  struct Answer {
    boost::system::error_code failed;
    std::vector<boost::asio::ip::tcp::endpoint> endpoints;
  };
  // Resolves a name and calls `on_end` once, from the loop, not within the call.
  using Resolve = std::function<void(std::string host, std::string port, std::function<void(Answer)> on_end)>;

  explicit Lookups(Resolve resolve);
  Lookups(const Lookups&) = delete;
  Lookups& operator=(const Lookups&) = delete;

  // Concurrent calls with the same host and port share a lookup. Cancellation unwinds a caller; a lookup without
  // callers is dropped, or continues to its end if it has begun. The object must outlive its callers.
  [[nodiscard]] boost::asio::awaitable<Answer> find(std::string host, std::string port);

  // The lookups in progress and in the queue: at most one for each host and port.
  [[nodiscard]] std::size_t pending() const { return queue_.size(); }

 private:
  struct Lookup;
  class Asker;
  using LookupPtr = std::shared_ptr<Lookup>;  // shared by its callers and the queue, any of which may be the last

  LookupPtr join(const std::string& host, const std::string& port);
  void leave(const LookupPtr& lookup);
  void begin_first();
  void end_first(Answer answer);

  Resolve resolve_;
  std::deque<LookupPtr> queue_;  // the first lookup is running
};

// The lookups of the loop of `executor`, with the system's resolver. The loop owns them.
[[nodiscard]] Lookups& lookups_of(const boost::asio::any_io_executor& executor);

// Replaces the resolver, for tests; call it before the first lookup.
Lookups& set_resolver(const boost::asio::any_io_executor& executor, Lookups::Resolve resolve);

}  // namespace keelson::net
