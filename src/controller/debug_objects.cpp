#include "keelson/controller/debug_objects.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "keelson/base/percent_encoding.hpp"
#include "keelson/base/rfc3339.hpp"
#include "keelson/base/text.hpp"
#include "keelson/controller/explain_policy.hpp"
#include "keelson/controller/limits.hpp"
#include "keelson/json/writer.hpp"
#include "src/controller/object_view.hpp"

namespace keelson::controller {

namespace {

using Parameters = std::map<std::string, std::string, std::less<>>;

Parameters parameters_of(std::string_view target) {
  Parameters parameters;
  const auto question = target.find('?');
  auto query = question == std::string_view::npos ? std::string_view() : target.substr(question + 1);
  while (!query.empty()) {
    const auto parameter = query.substr(0, query.find('&'));
    query.remove_prefix(std::min(query.size(), parameter.size() + 1));
    const auto equals = std::min(parameter.find('='), parameter.size());
    const auto value = base::percent_decode(parameter.substr(std::min(equals + 1, parameter.size())));
    parameters[std::string(parameter.substr(0, equals))] = value.value_or("");
  }
  return parameters;
}

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
    text += (text.empty() ? "" : "\n") + text_of(view);
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

struct Line {
  const RunningController& controller;
  kube::Key key;
  ReconcileRecord last;
};

void write_line(json::Writer& writer, const ReconcileHistory& history, const Line& line) {
  const auto& resource = line.controller.definition().resource();
  writer.begin_object().field("controller", line.controller.definition().name()).field("kind", resource.kind);
  writer.field("namespace", line.key.ns).field("name", line.key.name);
  writer.field("began", time_text(line.last.began)).field("result", result_name(line.last.result));
  if (line.last.error != 0) writer.field("error", history.errors.text_of(line.last.error, line.key));
  writer.end_object();
}

std::string text_of(const Line& line) {
  return time_text(line.last.began) + "  " + std::string(result_name(line.last.result)) + "  " +
         line.controller.definition().resource().kind + " " + line.key.text() + "\n";
}

net::Response list(const ControllerRuntime& runtime, const std::vector<const RunningController*>& controllers,
                   const Parameters& parameters, bool wants_json) {
  const auto* history = runtime.history();
  if (history == nullptr)
    return text_response(404, "404 the manager records no reconciles: --reconcile-history is 0\n");
  std::size_t from = 0;
  const auto token = parameters.find("continue");
  if (token != parameters.end()) {
    const auto* end = token->second.data() + token->second.size();
    const auto [rest, problem] = std::from_chars(token->second.data(), end, from);
    if (problem != std::errc() || rest != end) return text_response(400, "400 `continue` is not one of this page\n");
  }
  const auto ns = parameters.find("namespace");
  json::Writer writer;
  std::string text;
  writer.begin_object().key("items").begin_array();
  const auto next = history->list(from, limits::kListedObjects, [&](auto id, auto key, auto last) {
    if (ns != parameters.end() && namespace_of(key) != ns->second) return false;
    const auto found =
        std::find_if(controllers.begin(), controllers.end(), [&](const auto* each) { return history_id(*each) == id; });
    if (found == controllers.end()) return false;
    const Line line{**found, parse_key(key), unpack(last)};
    if (wants_json) {
      write_line(writer, *history, line);
    } else {
      text += text_of(line);
    }
    return true;
  });
  const auto token_text = next == 0 ? "" : std::to_string(next);
  writer.end_array().field("continue", token_text);
  writer.key("history").begin_object().field("objects", static_cast<std::int64_t>(history->size()));
  writer.field("limit", static_cast<std::int64_t>(history->limit()));
  writer.field("bytes", static_cast<std::int64_t>(history->bytes())).end_object().end_object();
  if (wants_json) return json_response(std::move(writer));
  text += std::to_string(history->size()) + " of at most " + std::to_string(history->limit()) + " objects, " +
          std::to_string(history->bytes()) + " bytes\n";
  if (next != 0) text += "more: ?continue=" + token_text + "\n";
  return text_response(200, std::move(text));
}

}  // namespace

net::Response debug_objects(ControllerRuntime& runtime, const net::Request& request) {
  if (request.method != "GET" && request.method != "HEAD") {
    auto rejected = text_response(405, "405 use GET\n");
    rejected.headers.emplace_back("Allow", "GET, HEAD");
    return rejected;
  }
  auto parameters = parameters_of(request.target);
  const bool wants_json = net::header(request.headers, "Accept").find("application/json") != std::string_view::npos;
  const auto& kind = parameters["kind"];
  const auto& name = parameters["name"];
  const auto controllers = controllers_of(runtime, kind);
  if (kind.empty() && !name.empty())
    return text_response(400, "400 give the kind, too: ?kind=KIND&namespace=NS&name=NAME\n");
  if (!kind.empty() && controllers.empty()) return no_controller(runtime, kind, wants_json);
  if (name.empty()) {
    if (parameters["namespace"].empty()) parameters.erase("namespace");
    return list(runtime, controllers, parameters, wants_json);
  }
  return describe(runtime, controllers, kube::Key(parameters["namespace"], name), wants_json);
}

}  // namespace keelson::controller
