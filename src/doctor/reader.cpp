#include "src/doctor/reader.hpp"

#include <algorithm>
#include <array>

#include "keelson/async/task_group.hpp"
#include "keelson/async/timeout.hpp"
#include "keelson/base/try.hpp"
#include "src/doctor/limits.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// Reads at most `limit` bytes, or until `ends` is true.
awaitable<Result<std::string>> read_body(std::unique_ptr<net::Stream> stream, std::size_t limit,
                                         bool (*ends)(std::string_view body)) {
  std::string body;
  std::array<char, 16 * 1024> buffer{};
  while (body.size() < limit && !ends(body)) {
    KEELSON_CO_LET(auto read, co_await stream->read_some(buffer));
    if (read == 0) break;
    body.append(buffer.data(), read);
  }
  co_return body;
}

bool never(std::string_view) { return false; }
bool has_bookmark(std::string_view body) {
  const auto bookmark = body.find(R"("type":"BOOKMARK")");
  return bookmark != std::string_view::npos && body.find('\n', bookmark) != std::string_view::npos;
}

}  // namespace

kube::ApiRequest get_of(kube::Resource resource, std::string ns, std::string name) {
  kube::ApiRequest request;
  request.resource = std::move(resource);
  request.key = kube::Key(std::move(ns), std::move(name));
  return request;
}

kube::ApiRequest list_of(kube::Resource resource, std::string ns, Query query) {
  auto request = get_of(std::move(resource), std::move(ns), "");
  request.verb = kube::Verb::kList;
  request.query = std::move(query);
  return request;
}

kube::ApiRequest review_of(std::string_view group, std::string_view kind, std::string_view plural, std::string body) {
  auto request = get_of({group, "v1", kind, plural, false}, "", "");
  request.verb = kube::Verb::kCreate;
  request.body = std::move(body);
  return request;
}

std::string text_at(json::View view, std::initializer_list<std::string_view> path) {
  return std::string(view.at(path).string().value_or(""));
}

std::string condition_of(json::View object, std::string_view type) {
  for (const auto condition : object.at({"status", "conditions"}).items()) {
    if (condition.find("type").string() == type) return text_at(condition, {"status"});
  }
  return "";
}

awaitable<Reading> Reader::one(kube::ApiRequest request) {
  if (lost_) co_return *lost_;
  auto sending = client_.send(std::move(request));
  auto reply = co_await async::with_timeout(clock_, limits::kDoctorRequestTime, "request", std::move(sending));
  if (!reply) {
    if (reply.error().kind == Error::Kind::kTransport) lost_ = reply.error();
    co_return std::move(reply).error();
  }
  co_return json::Document::parse(reply->body);
}

awaitable<std::vector<Reading>> Reader::all(std::vector<kube::ApiRequest> requests) {
  std::vector<std::optional<Reading>> replies(requests.size());
  std::size_t next = 0;
  auto body = [&](async::TaskGroup& group) -> awaitable<void> {
    for (std::size_t i = 0; i < std::min(limits::kDoctorRequests, requests.size()); ++i) {
      group.spawn(work(requests, replies, next));
    }
    co_await group.join();
  };
  co_await async::with_task_group(body);
  std::vector<Reading> read;
  read.reserve(replies.size());
  for (auto& reply : replies) read.push_back(std::move(*reply));
  co_return read;
}

awaitable<void> Reader::work(const std::vector<kube::ApiRequest>& requests,
                             std::vector<std::optional<Reading>>& replies, std::size_t& next) {
  while (next < requests.size()) {
    const auto mine = next++;
    auto reply = co_await one(requests[mine]);
    replies[mine].emplace(std::move(reply));
  }
}

awaitable<ServerAnswer> Reader::server() {
  auto answer = co_await async::with_timeout(clock_, limits::kDoctorRequestTime, "get /version", ask_server());
  if (answer) co_return std::move(*answer);
  if (answer.error().kind == Error::Kind::kTransport || answer.error().kind == Error::Kind::kTimeout) {
    lost_ = answer.error();
  }
  co_return ServerAnswer{std::move(answer).error(), ""};
}

// A stream, because its headers are needed.
awaitable<Result<ServerAnswer>> Reader::ask_server() {
  kube::ApiRequest request;
  request.raw_path = "/version";
  KEELSON_CO_LET(auto stream, co_await client_.stream(std::move(request)));
  auto date = std::string(net::header(stream->headers(), "Date"));
  KEELSON_CO_LET(auto body, co_await read_body(std::move(stream), limits::kProbedWatchBytes, never));
  co_return ServerAnswer{json::Document::parse(body), std::move(date)};
}

awaitable<WatchProbe> Reader::probe_watch(kube::Resource resource) {
  if (lost_) co_return WatchProbe{*lost_};
  auto following = follow_watch(std::move(resource));
  auto probe = co_await async::with_timeout(clock_, limits::kDoctorRequestTime, "watch", std::move(following));
  if (probe) co_return std::move(*probe);
  co_return WatchProbe{std::move(probe).error()};
}

awaitable<Result<WatchProbe>> Reader::follow_watch(kube::Resource resource) {
  auto request = get_of(std::move(resource), "", "");
  request.verb = kube::Verb::kWatch;
  request.content = kube::Content::kMetadata;
  request.query = {{"allowWatchBookmarks", "true"},
                   {"sendInitialEvents", "true"},
                   {"resourceVersionMatch", "NotOlderThan"},
                   {"timeoutSeconds", "2"}};
  KEELSON_CO_LET(auto stream, co_await client_.stream(std::move(request)));
  KEELSON_CO_LET(auto body, co_await read_body(std::move(stream), limits::kProbedWatchBytes, has_bookmark));
  WatchProbe probe;
  probe.has_bookmark = has_bookmark(body);
  probe.ends_list = body.find("k8s.io/initial-events-end") != std::string::npos;
  co_return probe;
}

}  // namespace keelson::doctor
