// Whether the API server still answers: asked on behalf of all silent watches of one client, once for all of them.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/async/notify.hpp"

namespace keelson::kube {

class ServerProbe {
 public:
  // Sends one request on a new connection; false if no answer of any kind came. References must outlive the probe.
  using Ask = std::function<boost::asio::awaitable<bool>()>;
  ServerProbe(async::Clock& clock, Ask ask) : clock_(clock), ask_(std::move(ask)) {}
  ServerProbe(const ServerProbe&) = delete;
  ServerProbe& operator=(const ServerProbe&) = delete;

  // A reply came, to whatever request.
  void answered() { answered_at_ = clock_.now(); }

  // For a caller that has heard nothing for kSilence. Any reply within that time is an answer; otherwise the server is
  // asked, by the first of all callers at a time.
  [[nodiscard]] boost::asio::awaitable<bool> answers();

  static constexpr std::chrono::seconds kSilence{30};
  // How long the answer to the probe may take, with its connection.
  static constexpr std::chrono::seconds kPatience{15};

 private:
  class Asking;

  async::Clock& clock_;
  Ask ask_;
  std::optional<async::TimePoint> answered_at_;
  std::optional<async::TimePoint> unanswered_at_;
  bool is_asking_ = false;
  async::Notify asked_;
};

}  // namespace keelson::kube
