#include "keelson/kube/watch.hpp"

#include <utility>

#include "keelson/base/limits.hpp"
#include "keelson/base/try.hpp"
#include "keelson/json/value.hpp"
#include "src/kube/api_request.hpp"

namespace keelson::kube {

Watch::Watch(std::unique_ptr<net::Stream> stream, std::string what)
    : stream_(std::move(stream)), what_(std::move(what)), buffer_(limits::kReadBytes) {}

boost::asio::awaitable<Result<std::optional<Watch::Event>>> Watch::next() {
  while (events_.empty() && stream_) {
    auto got = co_await stream_->read_some(buffer_);
    if (!got) error_ = got.error();
    if (got && *got > 0) {
      auto fed = lines_.feed({buffer_.data(), *got}, [this](std::string_view line) { return take(line); });
      if (!fed) error_ = std::move(fed).error();
    }
    bool has_ended = got && *got == 0;
    if (error_ || has_ended) stream_.reset();
  }
  if (!events_.empty()) {
    auto event = std::move(events_.front());
    events_.pop_front();
    co_return std::optional<Event>(std::move(event));
  }
  if (error_) co_return Error(*error_).with_context(what_);
  co_return std::optional<Event>();
}

Result<void> Watch::take(std::string_view line) {
  KEELSON_LET(auto event, parse_watch_line(line));
  if (event.type == WatchEvent::Type::kError) return error_from_status(event.object);
  KEELSON_TRY(json::Document::parse(event.object));
  KEELSON_LET(auto object, Object::from_json(event.object));
  events_.push_back({event.type, std::move(object)});
  return {};
}

boost::asio::awaitable<Result<Watch>> watch(Client& client, Resource resource, WatchRequest options) {
  ApiRequest request;
  request.verb = Verb::kWatch;
  request.resource = std::move(resource);
  request.key.ns = options.ns;
  request.content = options.content;
  request.query.emplace_back("allowWatchBookmarks", "true");
  if (!options.labels.empty()) request.query.emplace_back("labelSelector", options.labels.text());
  if (!options.fields.empty()) request.query.emplace_back("fieldSelector", options.fields);
  if (!options.resource_version.empty()) request.query.emplace_back("resourceVersion", options.resource_version);
  if (options.timeout_seconds > 0) {
    request.query.emplace_back("timeoutSeconds", std::to_string(options.timeout_seconds));
  }
  auto what = describe(request);
  auto stream = co_await client.stream(std::move(request));
  if (!stream) co_return std::move(stream).error().with_context(what);
  co_return Watch(std::move(*stream), std::move(what));
}

}  // namespace keelson::kube
