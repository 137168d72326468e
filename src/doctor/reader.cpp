#include "src/doctor/reader.hpp"

#include <algorithm>
#include <array>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/json/member_index.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// The longest time of a request with its retries. The client gives up one attempt after ten seconds.
constexpr std::chrono::seconds kDoctorRequestTime{12};

// After so many timeouts in succession the API server counts as lost, so that a network that drops all packets ends the
// examination within a minute.
constexpr int kDoctorTimeouts = 4;

Error too_late() { return timeout_error("no answer within " + std::to_string(kDoctorRequestTime.count()) + "s"); }

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

kube::ApiRequest slices_of(const std::string& ns, const std::string& service) {
  return list_of(kube::endpoint_slices(), ns, {{"labelSelector", "kubernetes.io/service-name=" + service}});
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
  return text_at(json::item_with(object.at({"status", "conditions"}), "type", type), {"status"});
}

bool has_ready_endpoint(json::View slices) {
  for (const auto slice : slices.find("items").items()) {
    for (const auto endpoint : slice.find("endpoints").items()) {
      // Absent counts as ready.
      if (endpoint.at({"conditions", "ready"}).boolean().value_or(true)) return true;
    }
  }
  return false;
}

bool has_bookmark(std::string_view body) {
  const auto bookmark = body.find(R"("type":"BOOKMARK")");
  return bookmark != std::string_view::npos && body.find('\n', bookmark) != std::string_view::npos;
}

awaitable<void> Reader::read(Requests& requests) {
  std::size_t next = 0;
  auto body = [&](async::TaskGroup& group) -> awaitable<void> {
    for (std::size_t i = 0; i < std::min(limits::kDoctorRequests, requests.size()); ++i) {
      group.spawn(work(requests, next));
    }
    co_await group.join();
  };
  co_await async::with_task_group(body);
}

awaitable<void> Reader::read_pages(kube::Resource resource, std::string ns, Query query,
                                   std::function<void(Reading page)> take) {
  std::string token;
  for (int number = 0; number < limits::kSearchedPages; ++number) {
    auto of_page = query;
    if (!token.empty()) of_page.emplace_back("continue", token);
    Requests page;
    page.emplace_back(list_of(resource, ns, std::move(of_page)));
    co_await read(page);
    auto& reading = page.front().reply;
    token = reading ? text_at(reading->root(), {"metadata", "continue"}) : "";
    take(std::move(reading));
    if (token.empty()) co_return;
  }
}

awaitable<void> Reader::work(Requests& requests, std::size_t& next) {
  while (next < requests.size()) {
    auto& mine = requests[next++];
    if (lost_) {
      mine.reply = *lost_;
      continue;
    }
    mine.reply = too_late();
    const bool is_in_time = co_await async::finish_within(clock_, kDoctorRequestTime, send(mine));
    timeouts_ = is_in_time ? 0 : timeouts_ + 1;
    if (timeouts_ == kDoctorTimeouts) lost_ = too_late();
  }
}

awaitable<void> Reader::send(Request& request) {
  auto reply = co_await client_.send(request.request);
  if (reply) {
    request.reply = json::Document::parse(reply->body);
    co_return;
  }
  notice(reply.error());
  request.reply = std::move(reply).error();
}

awaitable<void> Reader::stream(kube::ApiRequest request, Ends ends, StreamedReply& reply) {
  reply.is_complete = false;
  reply.opened = lost_ ? Result<void>(*lost_) : Result<void>(too_late());
  if (lost_) co_return;
  const bool is_in_time =
      co_await async::finish_within(clock_, kDoctorRequestTime, follow(std::move(request), ends, reply));
  if (!is_in_time) ++timeouts_;
}

awaitable<void> Reader::follow(kube::ApiRequest request, Ends ends, StreamedReply& reply) {
  auto stream = co_await client_.stream(std::move(request));
  if (!stream) {
    notice(stream.error());
    reply.opened = std::move(stream).error();
    co_return;
  }
  reply.opened = {};
  reply.date = net::header((*stream)->headers(), "Date");
  std::array<char, std::size_t{16} * 1024> buffer{};
  while (reply.body.size() < limits::kStreamedBytes && (ends == nullptr || !ends(reply.body))) {
    auto read = co_await (*stream)->read_some(buffer);
    if (!read) co_return;
    if (*read == 0) break;
    reply.body.append(buffer.data(), *read);
  }
  reply.is_complete = true;
}

void Reader::notice(const Error& error) {
  if (error.kind == Error::Kind::kTransport) lost_ = error;
}

}  // namespace keelson::doctor
