// Reads of the checks: few requests at a time, each with a limit of time, and none after a lost connection.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::doctor {

using Reading = Result<json::Document>;
using Query = std::vector<std::pair<std::string, std::string>>;

// Requests of the checks. An empty `name` lists.
[[nodiscard]] kube::ApiRequest get_of(kube::Resource resource, std::string ns, std::string name);
[[nodiscard]] kube::ApiRequest list_of(kube::Resource resource, std::string ns, Query query);
// Creates a review, which the API server answers and does not store.
[[nodiscard]] kube::ApiRequest review_of(std::string_view group, std::string_view kind, std::string_view plural,
                                         std::string body);

// The text at a path; empty if it is not a string.
[[nodiscard]] std::string text_at(json::View view, std::initializer_list<std::string_view> path);
// The status of a condition, "True"; empty if the object lacks it.
[[nodiscard]] std::string condition_of(json::View object, std::string_view type);

// The /version of the API server, and the time at which it answered by its own clock.
struct ServerAnswer {
  Reading version;
  std::string date;  // the header Date; empty if it was not sent
};

// What a watch with an initial list sent.
struct WatchProbe {
  Result<void> opened;
  bool has_bookmark = false;
  bool ends_list = false;  // the bookmark has the annotation of a streamed list's end
};

class Reader {
 public:
  Reader(kube::Client& client, async::Clock& clock) : client_(client), clock_(clock) {}
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  [[nodiscard]] boost::asio::awaitable<Reading> one(kube::ApiRequest request);
  // The replies in the order of the requests.
  [[nodiscard]] boost::asio::awaitable<std::vector<Reading>> all(std::vector<kube::ApiRequest> requests);
  [[nodiscard]] boost::asio::awaitable<ServerAnswer> server();
  // A watch of the kind with a streamed list, for a second at most. Its permission is that of a watch.
  [[nodiscard]] boost::asio::awaitable<WatchProbe> probe_watch(kube::Resource resource);

  [[nodiscard]] async::Clock& clock() { return clock_; }

 private:
  [[nodiscard]] boost::asio::awaitable<void> work(const std::vector<kube::ApiRequest>& requests,
                                                  std::vector<std::optional<Reading>>& replies, std::size_t& next);
  [[nodiscard]] boost::asio::awaitable<Result<ServerAnswer>> ask_server();
  [[nodiscard]] boost::asio::awaitable<Result<WatchProbe>> follow_watch(kube::Resource resource);

  kube::Client& client_;
  async::Clock& clock_;
  std::optional<Error> lost_;  // the error of the first request without a connection
};

}  // namespace keelson::doctor
