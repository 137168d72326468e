// A watch as a sequence of events: the line-delimited stream of the API server, split and parsed.
//
// This is the bare verb. Reconcilers use an informer (keelson/cache), which lists first, watches again after each end
// of the stream, relists if the version has expired (410; src/cache/list_watch_policy.hpp decides), and stores the
// objects.
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

// One line of the stream, not copied.
struct WatchEvent {
  enum class Type { kAdded, kModified, kDeleted, kBookmark, kError };
  Type type = Type::kAdded;
  std::string_view object;  // JSON, a Status for kError; refers to the line
};

// Splits `{"type":"ADDED","object":{…}}` without parsing the object. kMalformed for unknown types and other lines.
[[nodiscard]] Result<WatchEvent> parse_watch_line(std::string_view line);

struct WatchRequest {
  std::string ns;  // empty: all namespaces
  Selector labels;
  std::string fields;  // field selector text
  // The watch reports the changes after this version, which comes from a list or an earlier event. Empty: it reports
  // the existing objects as kAdded first. If the version is too old, watch()
  // or the first next() fails with 410 (is_gone).
  std::string resource_version;
  // The time after which the server ends the watch; 0: the server's choice (30 to 60 minutes).
  std::int64_t timeout_seconds = 0;
  Content content = Content::kWhole;
};

// An open watch. It owns its connection, which its destructor closes; destroy it before its client. Movable. Only one
// next() may be in progress at a time.
class Watch {
 public:
  struct Event {
    WatchEvent::Type type;  // never kError
    Object object;          // a bookmark has only its resourceVersion
  };

  Watch(std::unique_ptr<net::Stream> stream, std::string what);

  // Waits for the next event; nullopt if the server has ended the watch, which is normal: watch again from the newest
  // version. An ERROR event is returned as a kStatus error (is_gone: relist). A watch that is silent for 30 s is
  // kTransport if the API server does not answer on a new connection either. After an error or the end, each call
  // returns the same. Terminal cancellation unwinds, and the watch is lost.
  [[nodiscard]] boost::asio::awaitable<Result<std::optional<Event>>> next();

 private:
  [[nodiscard]] Result<void> take(std::string_view line);

  std::unique_ptr<net::Stream> stream_;
  std::string what_;  // context of errors: "watch pods in default"
  json::LineSplitter lines_;
  std::vector<char> buffer_;
  std::deque<Event> events_;  // from one read at most
  std::optional<Error> error_;
};

// Opens a watch, with bookmarks. Returns when the server has accepted it; errors are those of client.hpp.
[[nodiscard]] boost::asio::awaitable<Result<Watch>> watch(Client& client, Resource resource, WatchRequest options);

}  // namespace keelson::kube
