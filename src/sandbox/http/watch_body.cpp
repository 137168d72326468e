#include "src/sandbox/http/watch_body.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/net/broken_body.hpp"
#include "keelson/detail/net/websocket.hpp"

namespace keelson::sandbox {

namespace {

struct WatchBody {
  Endpoints& endpoints;
  std::shared_ptr<Watcher> watcher;
  Rendering rendering;
  bool has_frames;
  async::TimeSlice slice;
};

// The length before an event in protobuf.
std::size_t length_at(std::string_view events) {
  constexpr std::size_t kLengthBytes = 4;
  std::size_t length = 0;
  for (std::size_t i = 0; i < kLengthBytes; ++i) length = length << 8U | static_cast<unsigned char>(events[i]);
  return kLengthBytes + length;
}

// One frame per event: a line in JSON, or a message in protobuf without its length.
std::string in_frames(std::string_view events, bool is_protobuf) {
  std::string frames;
  while (!events.empty()) {
    const auto end = is_protobuf ? length_at(events) : std::min(events.find('\n') + 1, events.size());
    const auto event = events.substr(0, end);
    frames += is_protobuf ? net::websocket_frame(net::WebSocketMessage::kBinary, event.substr(4))
                          : net::websocket_frame(net::WebSocketMessage::kText, event);
    events.remove_prefix(end);
  }
  return frames;
}

boost::asio::awaitable<void> wait_for_events(WatchBody& body) {
  auto& watcher = *body.watcher;
  if (body.slice.is_over()) co_await body.slice.yield();
  while (watcher.unread().empty() && watcher.end == Watcher::End::kOpen) {
    co_await watcher.changed.wait();
    body.slice.restart();
  }
}

boost::asio::awaitable<std::optional<std::string>> next_piece(std::shared_ptr<WatchBody> body) {
  auto& watcher = *body->watcher;
  for (;;) {
    co_await wait_for_events(*body);
    if (watcher.end == Watcher::End::kBroken) throw net::BrokenBody();
    if (watcher.unread().empty()) co_return std::nullopt;
    auto lines = watcher.take_lines();
    const auto& kind = *watcher.kind;
    if (kind.conversion && kind.conversion->has_webhook) {
      lines = co_await body->endpoints.admission.conversions.events_in_version(kind, std::move(lines));
    }
    auto piece = body->rendering.events(std::move(lines), body->endpoints.world.clock.wall_now());
    // An empty piece would end the body, so the stream waits for an event.
    if (piece.empty()) continue;
    if (body->has_frames) piece = in_frames(piece, body->rendering.is_protobuf());
    co_return piece;
  }
}

}  // namespace

net::StreamingBody stream_of(Endpoints& endpoints, std::shared_ptr<Watcher> watcher, Rendering rendering,
                             bool has_frames) {
  auto body = std::make_shared<WatchBody>(WatchBody{endpoints, std::move(watcher), std::move(rendering), has_frames,
                                                    async::TimeSlice(endpoints.world.clock)});
  return net::StreamingBody{[body = std::move(body)] { return next_piece(body); }};
}

}  // namespace keelson::sandbox
