#include "keelson/detail/controller/debug_objects.hpp"

#include <algorithm>
#include <utility>

#include "keelson/detail/base/counted.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/base/rfc3339.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/explain_policy.hpp"
#include "keelson/detail/net/request_parameters.hpp"
#include "keelson/json/writer.hpp"
#include "src/controller/object_view.hpp"

namespace keelson::controller {

namespace {

net::Response response(int status, std::string_view type, std::string body) {
  net::Response response;
  response.status = status;
  response.headers = {{"Content-Type", std::string(type)},
                      {"X-Content-Type-Options", "nosniff"},
                      {"Cache-Control", "no-store"},
                      {"Vary", "Accept"}};
  response.body = std::move(body);
  return response;
}

net::Response text_response(int status, std::string body) {
  return response(status, "text/plain; charset=utf-8", std::move(body));
}

net::Response bad_request(const std::string& problem) { return text_response(400, "400 " + problem + "\n"); }

net::Response json_response(json::Writer writer) {
  return response(200, "application/json", std::move(writer).take() + "\n");
}

bool names_kind(const kube::Resource& resource, std::string_view name) {
  const auto lower = base::to_lower(name);
  const auto group = resource.group.empty() ? "" : "." + resource.group;
  const auto kind = base::to_lower(resource.kind);
  return lower == kind || lower == resource.plural || lower == kind + group || lower == resource.plural + group;
}

// The controllers of a kind; all of them if `kind` is empty.
std::vector<const RunningController*> controllers_of(const ControllerRuntime& runtime, std::string_view kind) {
  std::vector<const RunningController*> found;
  for (const auto& controller : runtime.controllers()) {
    if (kind.empty() || names_kind(controller->definition().resource(), kind)) found.push_back(controller.get());
  }
  return found;
}

// Status 200, because a proxy or an older manager answers 404.
net::Response no_controller(const ControllerRuntime& runtime, const std::string& kind, bool wants_json) {
  std::vector<std::string> known;
  for (const auto& controller : runtime.controllers()) {
    known.push_back(controller->definition().resource().qualified_plural());
  }
  const auto explanation = explain_as("disabled", {kind, base::join(known, ", ")});
  if (!wants_json) return text_response(200, explanation.text + "\n" + explanation.remedy + "\n");
  json::Writer writer;
  writer.begin_object().key("items").begin_array().end_array().key("answer");
  write_json(writer, explanation);
  writer.end_object();
  return json_response(std::move(writer));
}

net::Response describe(const ControllerRuntime& runtime, const std::vector<const RunningController*>& controllers,
                       const kube::Key& key, bool wants_json) {
  json::Writer writer;
  std::string text;
  writer.begin_object().key("items").begin_array();
  for (const auto* controller : controllers) {
    const auto view = view_of(*controller, runtime.history(), key);
    write_json(writer, view);
    text += (text.empty() ? "" : "\n") + view_text(view);
  }
  writer.end_array().end_object();
  if (wants_json) return json_response(std::move(writer));
  return text_response(200, std::move(text));
}

// Without a copy of the key, because a list calls it for each object.
std::string_view namespace_of(std::string_view key) {
  const auto slash = key.find('/');
  return slash == std::string_view::npos ? std::string_view() : key.substr(0, slash);
}

// The objects of a list.
struct Filter {
  std::string_view ns;      // empty: all
  std::string_view result;  // as result_name(), or kFailures; empty: all but deleted objects
  std::optional<async::WallTime> since;
};

// Stands for every result that is a failure, as an engineer searches for them.
constexpr std::string_view kFailures = "error";

// The name of a result in a parameter is one word.
std::string_view word_of(ReconcileResult result) {
  return result == ReconcileResult::kTerminal ? "terminal" : result_name(result);
}

Result<std::string_view> parse_result(std::string_view text) {
  std::vector<std::string> words;
  for (const auto result : kReconcileResults) {
    if (word_of(result) == text) return text;
    words.emplace_back(word_of(result));
  }
  if (text.empty()) return text;
  return invalid_error("result=" + base::quote_go(text) + " is not a result: use one of " + base::join(words, ", "));
}

// A blank is a "+" of an offset that the client did not encode.
Result<std::optional<async::WallTime>> parse_since(std::string_view text, async::WallTime now) {
  if (text.empty()) return std::optional<async::WallTime>();
  std::string time(text);
  std::ranges::replace(time, ' ', '+');
  if (const auto parsed = base::parse_rfc3339(time)) return std::optional<async::WallTime>(parsed->second);
  const auto ago = base::parse_go_duration(text);
  if (ago && *ago >= async::Duration(0)) {
    return std::optional<async::WallTime>(now - std::chrono::duration_cast<async::WallTime::duration>(*ago));
  }
  return invalid_error("since=" + base::quote_go(text) +
                       " is neither a duration such as 10m or 1h30m, nor a time such as 2026-01-02T15:04:05Z");
}

struct Line {
  const RunningController& controller;
  kube::Key key;
  ReconcileRecord last;
};

// The cache of a kind that is not in sync has not observed all objects.
bool is_deleted(const Line& line) {
  if (line.last.result == ReconcileResult::kGone) return true;
  const auto& own = *line.controller.sources().informers().front();
  return own.has_synced() && !own.get(line.key);
}

bool matches(const Filter& filter, const Line& line) {
  if (filter.since && line.last.began < *filter.since) return false;
  if (filter.result.empty()) return !is_deleted(line);
  if (filter.result == kFailures) return is_failure(line.last.result) && !is_deleted(line);
  return word_of(line.last.result) == filter.result;
}

std::string error_of(const ReconcileHistory& history, const Line& line) {
  return line.last.error == 0 ? "" : history.errors.text_of(line.last.error, line.key);
}

void write_line(json::Writer& writer, const ReconcileHistory& history, const Line& line) {
  const auto& resource = line.controller.definition().resource();
  writer.begin_object().field("controller", line.controller.definition().name()).field("kind", resource.kind);
  writer.field("namespace", line.key.ns).field("name", line.key.name);
  writer.field("began", time_text(line.last.began)).field("result", result_name(line.last.result));
  if (line.last.error != 0) writer.field("error", error_of(history, line));
  writer.end_object();
}

std::string line_text(const ReconcileHistory& history, const Line& line) {
  const auto error = error_of(history, line);
  return time_text(line.last.began) + "  " + std::string(result_name(line.last.result)) + "  " +
         line.controller.definition().resource().kind + " " + line.key.text() + (error.empty() ? "" : ": " + error) +
         "\n";
}

std::string footer(const ReconcileHistory& history) {
  auto text = std::to_string(history.size()) + " of at most " + base::counted(history.limit(), "object") + ", " +
              std::to_string(history.bytes()) + " bytes";
  if (history.gone() == 0) return text + "\n";
  return text + "; " + std::to_string(history.gone()) + base::singular_or_plural(history.gone(), " is", " are") +
         " deleted: ?result=gone\n";
}

// "0/default/web": the controller, and the key of the first object of the next page.
std::string token_of(const ReconcileHistory::Place& place) {
  return std::to_string(place.controller) + "/" + place.key;
}

std::optional<ReconcileHistory::Place> parse_token(std::string_view token) {
  ReconcileHistory::Place place;
  if (token.empty()) return place;
  const auto slash = token.find('/');
  const auto controller = base::parse_number<decltype(place.controller)>(token.substr(0, slash));
  if (!controller || slash == std::string_view::npos) return std::nullopt;
  place.controller = *controller;
  place.key = token.substr(slash + 1);
  return place;
}

net::Response list(const ControllerRuntime& runtime, const std::vector<const RunningController*>& controllers,
                   const Filter& filter, std::string_view token, bool wants_json) {
  const auto* history = runtime.history();
  if (history == nullptr) {
    return text_response(404, "404 the manager records no reconciles: --reconcile-history is 0\n");
  }
  const auto from = parse_token(token);
  if (!from) return bad_request("`continue` is not one of this page");
  json::Writer writer;
  std::string text;
  writer.begin_object().key("items").begin_array();
  const auto next = history->list(*from, limits::kListedObjects, [&](auto id, auto key, auto last) {
    if (!filter.ns.empty() && namespace_of(key) != filter.ns) return false;
    const auto found = std::ranges::find_if(controllers, [&](const auto* each) { return history_id(*each) == id; });
    if (found == controllers.end()) return false;
    const Line line{**found, parse_key(key), unpack(last)};
    if (!matches(filter, line)) return false;
    if (wants_json) {
      write_line(writer, *history, line);
    } else {
      text += line_text(*history, line);
    }
    return true;
  });
  const auto token_text = next ? token_of(*next) : "";
  writer.end_array().field("continue", token_text);
  writer.key("history").begin_object().field("objects", static_cast<std::int64_t>(history->size()));
  writer.field("deleted", static_cast<std::int64_t>(history->gone()));
  writer.field("limit", static_cast<std::int64_t>(history->limit()));
  writer.field("bytes", static_cast<std::int64_t>(history->bytes())).end_object().end_object();
  if (wants_json) return json_response(std::move(writer));
  text += footer(*history);
  if (next) text += "more: ?continue=" + token_text + "\n";
  // An error may have anything.
  return text_response(200, base::for_terminal(std::move(text)));
}

}  // namespace

net::Response debug_objects(ControllerRuntime& runtime, const net::Request& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    auto rejected = text_response(405, "405 use GET\n");
    rejected.headers.emplace_back("Allow", "GET, HEAD");
    return rejected;
  }
  const auto parameters = net::parameters_of(request, {"kind", "namespace", "name", "result", "since", "continue"});
  if (!parameters) return bad_request(parameters.error().message());
  const auto given = [&](std::string_view each) { return net::parameter(*parameters, each); };
  const bool wants_json = net::header(request.headers, "Accept").find("application/json") != std::string_view::npos;
  const auto kind = std::string(given("kind"));
  const auto controllers = controllers_of(runtime, kind);
  if (kind.empty() && !given("name").empty()) {
    return bad_request("give the kind, too: ?kind=KIND&namespace=NS&name=NAME");
  }
  const auto result = parse_result(given("result"));
  if (!result) return bad_request(result.error().message());
  const auto since = parse_since(given("since"), runtime.context().clock.wall_now());
  if (!since) return bad_request(since.error().message());
  if (!kind.empty() && controllers.empty()) return no_controller(runtime, kind, wants_json);
  if (given("name").empty()) {
    return list(runtime, controllers, {given("namespace"), *result, *since}, given("continue"), wants_json);
  }
  return describe(runtime, controllers, kube::Key(std::string(given("namespace")), std::string(given("name"))),
                  wants_json);
}

}  // namespace keelson::controller
