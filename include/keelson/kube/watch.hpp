// A watch as events: the line-delimited stream of the API server, split and named.
//
// Reconcilers want an informer (keelson/cache), which lists, goes on after every end and remembers. This is the bare
// verb.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/json/scan.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::kube {

struct WatchEvent {
  enum class Type { kAdded, kModified, kDeleted, kBookmark, kError };
  Type type = Type::kAdded;
  std::string_view object;  // JSON; for kError a Status. Valid only during the call.
};

// Splits `{"type":"ADDED","object":{…}}`; unknown types and broken lines are kMalformed.
[[nodiscard]] Result<WatchEvent> parse_watch_line(std::string_view line);

struct WatchOptions {
  std::string ns;  // empty: all namespaces
  Selector labels;
  std::string fields;  // field selector text
  // Changes after this one; empty: what there is as kAdded, then changes.
  std::string resource_version;
  // The server ends the watch after so long; 0: when it likes (30 to 60 minutes).
  std::int64_t timeout_seconds = 0;
  Content content = Content::kWhole;
};

// An open watch, with a connection of its own until it is destroyed. One `next` at a time.
class Watch {
 public:
  struct Event {
    WatchEvent::Type type;  // never kError
    Object object;          // of a bookmark only its resourceVersion counts
  };

  Watch(std::unique_ptr<net::Stream> stream, std::string what);

  // Waits for it; none when the server has ended the watch. An ERROR event comes as the Error it stands for
  // (is_gone: list anew). After an error or the end there is no more.
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<Event>>> next();

 private:
  [[nodiscard]] Result<void> take(std::string_view line);

  std::unique_ptr<net::Stream> stream_;
  std::string what_;
  json::LineSplitter lines_;
  std::vector<char> buffer_;
  std::deque<Event> events_;  // of one read at most
  std::optional<Error> error_;
};

// Asks for bookmarks too.
[[nodiscard]] boost::asio::awaitable<Result<Watch>> watch(Client& client, Resource resource, WatchOptions options);

}  // namespace keelson::kube
