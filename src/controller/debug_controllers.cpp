#include "keelson/detail/controller/debug_controllers.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/base/percent_encoding.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/net/request_parameters.hpp"
#include "keelson/detail/net/request_path.hpp"
#include "src/controller/controller.hpp"

namespace keelson::controller {

namespace {

// The reason of a controller's pause, which pages and the log show in a line.
constexpr std::size_t kPauseReasonBytes = 200;

std::string pause_path(const RunningController& controller) {
  std::string path(kDebugControllersPath);
  path += "/";
  base::append_path_segment(path, controller.definition().name());
  return path + "/pause";
}

net::Response plain(int status, const std::string& text) {
  auto response = net::text_response(status, text + "\n");
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

net::Response not_allowed(const char* methods) {
  auto response = plain(405, std::string("405 use ") + methods);
  response.headers.emplace_back("Allow", methods);
  return response;
}

constexpr std::string_view kStandby = "this replica does not lead, and its pauses are not those of the leader";

std::string state_text(const RunningController& controller) {
  const auto& pause = controller.pauses().state();
  if (pause) return "paused " + pause->text();
  return controller.has_started() ? "running" : "waiting for the lease";
}

std::string all_controllers(const ControllerRuntime& runtime) {
  std::string text;
  for (const auto& controller : runtime.controllers()) {
    const auto& queue = controller->queue();
    const bool misleads = controller->pauses().state() && !controller->has_started();
    text += controller->definition().name() + ": " + state_text(*controller) + "; " +
            (misleads ? std::string(kStandby) + "; " : "") + base::counted(queue.ready(), "key") + " ready, " +
            std::to_string(queue.in_progress()) + " in progress, " + pause_path(*controller) + "\n";
  }
  return base::for_terminal(text.empty() ? "no controllers\n" : std::move(text));
}

struct PauseRequest {
  std::string reason;
  std::optional<async::Duration> time;
};

Result<PauseRequest> parse_pause(const net::Request& request) {
  KEELSON_LET(const auto parameters, net::parameters_of(request, {"reason", "for"}));
  PauseRequest pause{base::on_one_line(std::string(base::trim(net::parameter(parameters, "reason")))), std::nullopt};
  if (pause.reason.empty()) {
    return invalid_error("give the reason, for those who find the controller paused: reason=bad+rollout&for=2h");
  }
  if (pause.reason.size() > kPauseReasonBytes) {
    return invalid_error("the reason is longer than " + std::to_string(kPauseReasonBytes) + " bytes");
  }
  KEELSON_LET(pause.time, net::duration_parameter(parameters, "for"));
  return pause;
}

// A pause is a state of one process, so that a client that wants to stop the writes has to ask the leader.
net::Response about_pause(const RunningController& controller, const std::string& text) {
  if (controller.has_started()) return plain(200, text);
  return plain(200, text + "\n" + std::string(kStandby) + ": send the request to the holder of the Lease");
}

net::Response answer_pause(RunningController& controller, const net::Request& request, std::string_view user) {
  const auto& name = controller.definition().name();
  if (request.method == "GET" || request.method == "HEAD") {
    return about_pause(controller, name + ": " + state_text(controller));
  }
  if (request.method == "DELETE") {
    const bool was_paused = controller.pauses().resume(std::string(user));
    return about_pause(controller, name + (was_paused ? " is resumed" : " was not paused"));
  }
  if (request.method != "PUT") return not_allowed("GET, PUT, DELETE");
  auto pause = parse_pause(request);
  if (!pause) return plain(400, "400 " + pause.error().message());
  controller.pauses().pause(std::move(pause->reason), std::string(user), pause->time);
  return about_pause(controller, name + ": " + state_text(controller));
}

}  // namespace

std::vector<std::string> debug_controllers_paths(const ControllerRuntime& runtime) {
  std::vector<std::string> paths{std::string(kDebugControllersPath)};
  for (const auto& controller : runtime.controllers()) paths.push_back(pause_path(*controller));
  return paths;
}

net::Response debug_controllers(ControllerRuntime& runtime, const net::Request& request, std::string_view user) {
  const auto path = net::path_of(request);
  if (path == kDebugControllersPath) {
    const bool is_read = request.method == "GET" || request.method == "HEAD";
    return is_read ? net::text_response(200, all_controllers(runtime)) : not_allowed("GET");
  }
  for (const auto& controller : runtime.controllers()) {
    if (pause_path(*controller) == path) return answer_pause(*controller, request, user);
  }
  return plain(404, "404 no such controller; " + std::string(kDebugControllersPath) + " lists them");
}

}  // namespace keelson::controller
