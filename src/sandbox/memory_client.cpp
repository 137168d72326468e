#include "src/sandbox/memory_client.hpp"

#include <algorithm>
#include <optional>

#include "keelson/base/try.hpp"
#include "keelson/detail/kube/dry_run.hpp"
#include "src/sandbox/http/rendering.hpp"

namespace keelson::sandbox {

namespace {
using boost::asio::awaitable;

// Waits for a random part of `latency`.
awaitable<void> travel(World& world, async::Duration latency) {
  auto share = std::chrono::duration<double>(latency) * world.random.unit();
  co_await async::sleep_for(world.clock, std::chrono::duration_cast<async::Duration>(share));
}

// Applies the injected delay; returns the injected failure. `request` outlives the call.
awaitable<std::optional<Error>> meet_chaos(Endpoints& endpoints, const UserInfo& user,
                                           const kube::ApiRequest& request) {
  auto disturbance = endpoints.disturb(user, request);
  if (disturbance.delay.count() > 0) co_await async::sleep_for(endpoints.world.clock, disturbance.delay);
  if (!disturbance.failure) co_return std::nullopt;
  co_return as_error(*disturbance.failure);
}

RequestInfo asked_by(const std::string& user, const kube::ApiRequest& request) {
  RequestInfo info;
  info.user = user;
  info.verb = request.verb;
  info.resource = request.resource;
  info.key = request.key;
  info.subresource = request.subresource;
  info.is_apply = request.verb == kube::Verb::kPatch && request.patch_type == kube::PatchType::kApply;
  info.is_dry_run = kube::is_dry_run(request);
  return info;
}

// The form of the reply; nullopt: the objects as they are stored.
std::optional<Rendering> rendering_of(const Endpoints& endpoints, const kube::ApiRequest& request) {
  const auto* kind = endpoints.world.kinds.find(request.resource);
  const bool is_read = request.verb <= kube::Verb::kWatch;
  if (request.content == kube::Content::kWhole || !is_read || kind == nullptr) return std::nullopt;
  return Rendering({.form = Representation::Form::kMetadata}, *kind, "");
}

class MemoryStream final : public net::Stream {
 public:
  explicit MemoryStream(std::string body) : watcher_(std::make_shared<Watcher>()) {
    watcher_->said = std::move(body);
    watcher_->end = Watcher::End::kProper;
  }
  MemoryStream(World& world, async::Duration latency, std::shared_ptr<Watcher> watcher,
               std::optional<Rendering> rendering)
      : world_(&world), latency_(latency), watcher_(std::move(watcher)), rendering_(std::move(rendering)) {}

  int status() const override { return 200; }
  const net::Headers& headers() const override { return headers_; }
  Task<std::size_t> read_some(std::span<char> buffer) override {
    while (rendered_.empty() && watcher_->unread().empty() && watcher_->end == Watcher::End::kOpen) {
      co_await watcher_->changed.wait();
    }
    if (world_ != nullptr) co_await travel(*world_, latency_);
    // Unread events are lost when the connection breaks, as in a socket.
    if (watcher_->end == Watcher::End::kBroken) co_return transport_error("unexpected EOF");
    if (rendering_ && rendered_.empty()) {
      rendered_ = rendering_->events(watcher_->take_lines(), world_->clock.wall_now());
    }
    auto unread = rendering_ ? std::string_view(rendered_) : watcher_->unread();
    auto size = std::min(buffer.size(), unread.size());
    std::copy_n(unread.begin(), size, buffer.begin());
    if (rendering_) {
      rendered_.erase(0, size);
    } else {
      watcher_->take(size);
    }
    co_return size;
  }
  void stop_reading() override { watcher_->finish(Watcher::End::kBroken); }

 private:
  World* world_ = nullptr;
  async::Duration latency_{};
  std::shared_ptr<Watcher> watcher_;
  std::optional<Rendering> rendering_;
  std::string rendered_;  // lines of the watch that the client has not read
  net::Headers headers_{{"Content-Type", "application/json"}};
};

}  // namespace

Task<kube::ApiReply> MemoryClient::send(kube::ApiRequest request) {
  if (request.may_send && !request.may_send()) co_return Error(Error::Kind::kFenced, "not sent");
  co_await travel(endpoints_.world, latency_);
  const auto info = asked_by(user_.name, request);
  const auto rendering = rendering_of(endpoints_, request);
  std::vector<std::string> warnings;
  const Endpoints::Extras extras{.hears_warnings = endpoints_.hooks.on_warning != nullptr,
                                 .warnings_of_rejection = &warnings};
  auto answer = Result<Answer>(Answer{});
  auto failed = co_await meet_chaos(endpoints_, user_, request);
  if (failed) {
    answer = std::move(*failed);
  } else if (endpoints_.may_wait(request)) {
    answer = co_await endpoints_.answer_later(user_, std::move(request), extras);
  } else {
    answer = endpoints_.answer(user_, request, extras);
  }
  co_await travel(endpoints_.world, latency_);
  for (const auto& warning : answer ? answer->warnings : warnings) {
    if (endpoints_.hooks.on_warning) endpoints_.hooks.on_warning(info, warning);
  }
  if (!answer) co_return std::move(answer).error();
  if (rendering) answer->body = rendering->answer(std::move(answer->body), endpoints_.world.clock.wall_now());
  co_return kube::ApiReply{answer->code, std::move(answer->body)};
}

Task<std::unique_ptr<net::Stream>> MemoryClient::stream(kube::ApiRequest request) {
  if (request.verb != kube::Verb::kWatch) {
    KEELSON_CO_LET(auto reply, co_await send(std::move(request)));
    std::unique_ptr<net::Stream> whole = std::make_unique<MemoryStream>(std::move(reply.body));
    co_return whole;
  }
  co_await travel(endpoints_.world, latency_);
  auto failed = co_await meet_chaos(endpoints_, user_, request);
  if (failed) {
    co_await travel(endpoints_.world, latency_);
    co_return std::move(*failed);
  }
  KEELSON_CO_LET(auto watcher, endpoints_.watch(user_, request, {}));
  std::unique_ptr<net::Stream> events =
      std::make_unique<MemoryStream>(endpoints_.world, latency_, std::move(watcher), rendering_of(endpoints_, request));
  co_await travel(endpoints_.world, latency_);
  co_return events;
}

}  // namespace keelson::sandbox
