#include "src/program/log_level.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/net/request_parameters.hpp"
#include "src/program/flags/flag_values.hpp"

namespace keelson::program {

namespace {

std::string level_text(int verbosity) {
  if (verbosity <= -2) return "panic";
  if (verbosity == -1) return "error";
  if (verbosity == 0) return "info";
  return verbosity == 1 ? "debug" : std::to_string(verbosity);
}

std::string seconds_text(async::WallTime time) {
  return base::format_rfc3339(std::chrono::floor<std::chrono::seconds>(time));
}

}  // namespace

net::Response LogLevel::answer(const net::Request& request, std::string_view user) {
  if (request.method == "PUT") {
    const auto changed = change(request, user);
    if (!changed) return net::text_response(400, "400 " + changed.error().message() + "\n");
  } else if (request.method == "DELETE") {
    set(at_start_, user, std::nullopt);
  } else if (request.method != "GET" && request.method != "HEAD") {
    auto rejected = net::text_response(405, "405 use GET, PUT, DELETE\n");
    rejected.headers.emplace_back("Allow", "GET, PUT, DELETE");
    return rejected;
  }
  return net::text_response(200, text() + "\n");
}

// klog's form is the level alone as the body: `curl -X PUT -d 5`.
Result<void> LogLevel::change(const net::Request& request, std::string_view user) {
  net::Request form = request;
  std::string level(base::trim(request.body));
  if (level.find('=') == std::string::npos) form.body.clear();
  KEELSON_LET(const auto parameters, net::parameters_of(form, {"level", "for"}));
  if (!form.body.empty() || level.empty()) level = net::parameter(parameters, "level");
  if (level.empty()) return invalid_error("give the level as the body: debug, info, error, panic or a number above 0");
  KEELSON_LET(const auto verbosity, parse_zap_log_level(level));
  KEELSON_LET(const auto time, net::duration_parameter(parameters, "for"));
  set(verbosity, user, time);
  return {};
}

void LogLevel::set(int verbosity, std::string_view user, std::optional<async::Duration> time) {
  const auto before = sink_.verbosity();
  const auto now = clock_.wall_now();
  end_.reset();
  std::string until;
  if (time) {
    until = seconds_text(now + std::chrono::duration_cast<async::WallTime::duration>(*time));
    end_ = clock_.call_at(clock_.now() + *time, [this] { set(at_start_, "the end of its time", std::nullopt); });
  }
  changed_.clear();
  if (verbosity != at_start_) {
    changed_ = "since " + seconds_text(now) + " by " + std::string(user) + (until.empty() ? "" : " until " + until);
  }
  const auto tell = [&] {
    log_.info("Changed the log level", {{"from", level_text(before)}, {"to", level_text(verbosity)}, {"user", user}});
  };
  // Before the level no longer has the line.
  if (verbosity < before) tell();
  sink_.set_verbosity(verbosity);
  if (verbosity >= before) tell();
}

zpages::LogLevel LogLevel::state() const { return {level_text(sink_.verbosity()), level_text(at_start_), changed_}; }

std::string LogLevel::text() const {
  const auto level = level_text(sink_.verbosity());
  return changed_.empty() ? level : level + " " + changed_ + ", " + level_text(at_start_) + " at the start";
}

}  // namespace keelson::program
