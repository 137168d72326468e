// The name lookups of a loop: one at a time, and none twice at once.
//
// Asio has one thread for them, and what it has begun or queued cannot be taken back. In an outage of DNS, when each
// takes long and its askers give up and ask again, they must not pile up there, so that those that have yet to begin
// wait here.
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
  // Looks a name up and calls `on_end` once, from the loop, not from within the call.
  using Resolve = std::function<void(std::string host, std::string port, std::function<void(Answer)> on_end)>;

  explicit Lookups(Resolve resolve);
  Lookups(const Lookups&) = delete;
  Lookups& operator=(const Lookups&) = delete;

  // Whoever asks for the same host and port before the answer is there waits for the same lookup. Cancellation unwinds
  // an asker; a lookup that nobody waits for any more is dropped, or goes on to its end if it has begun. Must outlive
  // its askers.
  [[nodiscard]] boost::asio::awaitable<Answer> find(std::string host, std::string port);

  // Lookups that have begun or wait to: at most one for each host and port.
  [[nodiscard]] std::size_t pending() const { return queue_.size(); }

 private:
  struct Lookup;
  class Asker;
  using LookupPtr = std::shared_ptr<Lookup>;  // shared by its askers and the queue, in any order of going

  LookupPtr join(const std::string& host, const std::string& port);
  void leave(const LookupPtr& lookup);
  void begin_first();
  void end_first(Answer answer);

  Resolve resolve_;
  std::deque<LookupPtr> queue_;  // the first has begun
};

// Those of the loop that `executor` is of, by the system's resolver. They go with the loop.
[[nodiscard]] Lookups& lookups_of(const boost::asio::any_io_executor& executor);

// The same, by another resolver: for tests, before the first lookup.
Lookups& set_resolver(const boost::asio::any_io_executor& executor, Lookups::Resolve resolve);

}  // namespace keelson::net
