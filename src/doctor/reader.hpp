// How the areas read: few requests at a time, each with a limit of time, and none after a lost connection.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/json/value.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::limits {

// Requests at the same time: an API server in distress must not get a burst.
inline constexpr std::size_t kDoctorRequests = 4;

// Pages of a list that is searched: a namespace rarely has more Deployments or Services.
inline constexpr int kSearchedPages = 10;

// The bytes of a stream that are read: a watch has a bookmark after the objects of its kind.
inline constexpr std::size_t kStreamedBytes = std::size_t{4} << 20;

}  // namespace keelson::limits

namespace keelson::doctor {

using Reading = Result<json::Document>;
using Query = std::vector<std::pair<std::string, std::string>>;

// Requests of the checks. An empty `name` lists.
[[nodiscard]] kube::ApiRequest get_of(kube::Resource resource, std::string ns, std::string name);
[[nodiscard]] kube::ApiRequest list_of(kube::Resource resource, std::string ns, Query query);
// Lists the EndpointSlices of a Service.
[[nodiscard]] kube::ApiRequest slices_of(const std::string& ns, const std::string& service);
// Creates a review, which the API server answers and does not store.
[[nodiscard]] kube::ApiRequest review_of(std::string_view group, std::string_view kind, std::string_view plural,
                                         std::string body);

// The text at a path; empty if it is not a string.
[[nodiscard]] std::string text_at(json::View view, std::initializer_list<std::string_view> path);
// The status of a condition, "True"; empty if the object lacks it.
[[nodiscard]] std::string condition_of(json::View object, std::string_view type);
// Whether a list of EndpointSlices has a ready endpoint.
[[nodiscard]] bool has_ready_endpoint(json::View slices);

// A request and its reply.
struct Request {
  explicit Request(kube::ApiRequest of) : request(std::move(of)) {}
  kube::ApiRequest request;
  Reading reply = malformed_error("not read");
};
using Requests = std::vector<Request>;

// A reply that is read from a stream, with what no other reply has.
struct StreamedReply {
  Result<void> opened;
  std::string body;
  std::string date;         // the header Date: the time of the API server's clock; empty if it was not sent
  bool is_complete = true;  // false: the stream broke, or did not end in time
};

// True if a stream need not be read on.
using Ends = bool (*)(std::string_view body);
// A watch has sent a bookmark.
[[nodiscard]] bool has_bookmark(std::string_view body);

// The functions return nothing, and store replies: each type of a coroutine costs a program some kilobytes.
class Reader {
 public:
  Reader(kube::Client& client, async::Clock& clock) : client_(client), clock_(clock) {}
  Reader(const Reader&) = delete;
  Reader& operator=(const Reader&) = delete;

  // Sends all requests. The vector must outlive the coroutine and not change meanwhile.
  [[nodiscard]] boost::asio::awaitable<void> read(Requests& requests);
  // Reads a list in pages, until the last one, one that fails, or limits::kSearchedPages. `take` gets each page.
  [[nodiscard]] boost::asio::awaitable<void> read_pages(kube::Resource resource, std::string ns, Query query,
                                                        std::function<void(Reading page)> take);
  // Reads a stream until it ends, `ends` is true, or a limit of bytes.
  [[nodiscard]] boost::asio::awaitable<void> stream(kube::ApiRequest request, Ends ends, StreamedReply& reply);

  // The time of the API server's clock, from its time now; until it is set, that of this machine.
  void set_server_time(async::WallTime server_now) { ahead_ = server_now - clock_.wall_now(); }
  [[nodiscard]] async::WallTime server_now() const { return clock_.wall_now() + ahead_; }

 private:
  [[nodiscard]] boost::asio::awaitable<void> work(Requests& requests, std::size_t& next);
  [[nodiscard]] boost::asio::awaitable<void> send(Request& request);
  [[nodiscard]] boost::asio::awaitable<void> follow(kube::ApiRequest request, Ends ends, StreamedReply& reply);
  void notice(const Error& error);

  kube::Client& client_;
  async::Clock& clock_;
  async::Duration ahead_{};    // of the API server's clock
  std::optional<Error> lost_;  // the error of the first request without a connection, or after many timeouts
  int timeouts_ = 0;           // in succession
};

}  // namespace keelson::doctor
