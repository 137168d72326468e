#include "src/sandbox/http/list_body.hpp"

#include <optional>
#include <utility>

#include "keelson/detail/net/broken_body.hpp"
#include "keelson/detail/sandbox/limits.hpp"

namespace keelson::sandbox {

namespace {
// The time in which a client must read a list, because its objects stay in memory: kube-apiserver's --request-timeout.
constexpr auto kLongestList = std::chrono::seconds(60);
}  // namespace

ListBody::ListBody(async::Clock& clock, Listing listing, Rendering rendering)
    : clock_(clock),
      listing_(std::move(listing)),
      rendering_(std::move(rendering)),
      slice_(clock),
      deadline_(clock.now() + kLongestList),
      next_(listing_.begin) {}

std::string ListBody::next_piece() {
  if (rendering_.is_protobuf()) return next_protobuf();
  std::string piece;
  if (is_at_begin_) piece = rendering_.list_front(listing_);
  is_at_begin_ = false;
  const auto now = clock_.wall_now();
  while (next_ < listing_.end) {
    const bool is_full = piece.size() >= limits::kSandboxPieceBytes || slice_.is_over();
    if (is_full && !piece.empty() && !rendering_.is_yaml()) return piece;
    if (next_ > listing_.begin) piece += ',';
    piece += rendering_.list_item(take_object(listing_, next_), now);
    ++next_;
  }
  is_at_end_ = true;
  return rendering_.encoded(std::move(piece) + kListBack + "\n");
}

std::string ListBody::next_protobuf() {
  if (!protobuf_) protobuf_.emplace(rendering_.protobuf_list(listing_));
  for (; next_ < listing_.end; ++next_) {
    if (slice_.is_over()) return "";
    protobuf_->add(rendering_.protobuf_item(take_object(listing_, next_)));
  }
  is_at_end_ = true;
  return std::move(*protobuf_).take();
}

net::StreamingBody stream_of(std::shared_ptr<ListBody> body, std::string first) {
  using Piece = boost::asio::awaitable<std::optional<std::string>>;
  auto next = [](std::shared_ptr<ListBody> list, std::shared_ptr<std::string> waiting) -> Piece {
    if (!waiting->empty()) co_return std::exchange(*waiting, {});
    while (!list->is_at_end()) {
      if (list->slice().is_over()) co_await list->slice().yield();
      if (list->is_broken()) throw net::BrokenBody();  // meanwhile
      auto piece = list->next_piece();
      if (!piece.empty()) co_return piece;
    }
    co_return std::nullopt;
  };
  auto waiting = std::make_shared<std::string>(std::move(first));
  return {[next, body = std::move(body), waiting = std::move(waiting)] { return next(body, waiting); }, true};
}

}  // namespace keelson::sandbox
