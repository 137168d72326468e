// Finds out whether the API server still answers, with one request for all silent watches of a client.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <functional>
#include <optional>

#include "keelson/async/clock.hpp"
#include "keelson/detail/async/notify.hpp"

namespace keelson::kube {

class ServerProbe {
 public:
  // Sends a request on a new connection; false if there was no reply of any kind. References must outlive the probe.
  using Ask = std::function<boost::asio::awaitable<bool>()>;
  ServerProbe(async::Clock& clock, Ask ask) : clock_(clock), ask_(std::move(ask)) {}
  ServerProbe(const ServerProbe&) = delete;
  ServerProbe& operator=(const ServerProbe&) = delete;

  // Records a reply to any request.
  void answered() { answered_at_ = clock_.now(); }

  // For a caller that has received nothing for kSilence. True if there was any reply within that time; otherwise the
  // first of all callers sends the probe, and the others wait for its result.
  [[nodiscard]] boost::asio::awaitable<bool> answers();

  static constexpr std::chrono::seconds kSilence{30};
  // The limit of the probe, including its connection.
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
