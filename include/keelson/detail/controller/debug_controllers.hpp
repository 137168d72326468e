// /debug/controllers: the controllers of a manager, and how to pause one of them at run time.
//
// | request | effect |
// |---|---|
// | GET /debug/controllers | a line for each controller: its state and its queue |
// | GET /debug/controllers/NAME/pause | whether it is paused: since when, the user, the reason |
// | PUT /debug/controllers/NAME/pause | pauses it; parameters `reason`, and `for`, a Go duration after which it resumes
// | | DELETE /debug/controllers/NAME/pause | resumes it |
//
// A paused controller begins no reconcile; running ones end. Its queue, its watches, its webhooks and the lease stay.
// Serve it to clients only that may change the state of the process. There is no POST: a web page can send one without
// asking, but the preflight request for PUT and DELETE is rejected.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/controller/controller_runtime.hpp"
#include "keelson/net/http.hpp"

namespace keelson::controller {

inline constexpr std::string_view kDebugControllersPath = "/debug/controllers";

// All paths that debug_controllers() answers.
[[nodiscard]] std::vector<std::string> debug_controllers_paths(const ControllerRuntime& runtime);

// `user` is the sender, for the log and for pages. 400, 404 and 405 have a text that says what to change.
[[nodiscard]] net::Response debug_controllers(ControllerRuntime& runtime, const net::Request& request,
                                              std::string_view user);

}  // namespace keelson::controller
