#include "src/sandbox/http/watch_body.hpp"

#include <optional>
#include <string>
#include <utility>

#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/net/broken_body.hpp"

namespace keelson::sandbox {

namespace {

struct WatchBody {
  Endpoints& endpoints;
  std::shared_ptr<Watcher> watcher;
  Rendering rendering;
  async::TimeSlice slice;
};

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
    if (!piece.empty()) co_return piece;
  }
}

}  // namespace

net::StreamingBody stream_of(Endpoints& endpoints, std::shared_ptr<Watcher> watcher, Rendering rendering) {
  auto body = std::make_shared<WatchBody>(
      WatchBody{endpoints, std::move(watcher), std::move(rendering), async::TimeSlice(endpoints.world.clock)});
  return net::StreamingBody{[body = std::move(body)] { return next_piece(body); }};
}

}  // namespace keelson::sandbox
