// /debug/flags/v: the level of the log, which can be changed while the program runs, as klog's in Kubernetes'
// components.
//
// | request | effect |
// |---|---|
// | GET | the level: a word or number of --zap-log-level |
// | PUT | changes it to the body or the parameter `level`; with `for`, a Go duration, until then |
// | DELETE | returns to the level of the start |
//
// It is a state of this process: a restart returns to --zap-log-level.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "keelson/async/clock.hpp"
#include "keelson/detail/base/adjustable_sink.hpp"
#include "keelson/detail/zpages/status.hpp"
#include "keelson/net/http.hpp"

namespace keelson::program {

inline constexpr std::string_view kLogLevelPath = "/debug/flags/v";

class LogLevel {
 public:
  // All must outlive it.
  LogLevel(async::Clock& clock, AdjustableSink& sink, Logger log)
      : clock_(clock), sink_(sink), log_(std::move(log)), at_start_(sink.verbosity()) {}
  LogLevel(const LogLevel&) = delete;
  LogLevel& operator=(const LogLevel&) = delete;

  // `user` is the sender, for the log. 400 and 405 have a text that says what to change.
  [[nodiscard]] net::Response answer(const net::Request& request, std::string_view user);
  [[nodiscard]] zpages::LogLevel state() const;

 private:
  [[nodiscard]] Result<void> change(const net::Request& request, std::string_view user);
  void set(int verbosity, std::string_view user, std::optional<async::Duration> time);
  [[nodiscard]] std::string text() const;

  async::Clock& clock_;
  AdjustableSink& sink_;
  Logger log_;
  const int at_start_;
  std::string changed_;  // "since … by jane until …"; empty: the level is that of the start
  std::unique_ptr<async::Timer> end_;
};

}  // namespace keelson::program
