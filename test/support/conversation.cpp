#include "test/support/conversation.hpp"

#include <map>

#include "keelson/detail/json/scan.hpp"
#include "keelson/detail/kube/watch.hpp"
#include "keelson/json/value.hpp"

namespace keelson::testing {

namespace {
using boost::asio::awaitable;

using Variables = std::map<std::string, std::string>;

// Longer names first, so that $UID_a does not match a part of $UID_ab.
std::string filled(std::string text, const Variables& variables) {
  for (auto variable = variables.rbegin(); variable != variables.rend(); ++variable) {
    for (auto at = text.find(variable->first); at != std::string::npos; at = text.find(variable->first, at)) {
      text.replace(at, variable->first.size(), variable->second);
      at += variable->second.size();
    }
  }
  return text;
}

json::View at_path(json::View view, std::string_view path) {
  while (!path.empty()) {
    path.remove_prefix(1);
    auto end = std::min(path.find('.'), path.size());
    auto name = path.substr(0, end);
    bool is_index = !name.empty() && name[0] >= '0' && name[0] <= '9';
    view = is_index ? view.item(static_cast<std::size_t>(std::stoi(std::string(name)))) : view.find(name);
    path.remove_prefix(end);
  }
  return view;
}

std::string names_of(json::View list) {
  std::string names;
  for (auto item : list.find("items").items()) {
    if (!names.empty()) names += ",";
    names += item.at({"metadata", "name"}).string().value_or("?");
  }
  bool has_more = !list.at({"metadata", "continue"}).string().value_or("").empty();
  return "[" + names + (has_more ? "…" : "") + "]";
}

kube::ApiRequest request_of(const Step& step, const Variables& variables) {
  kube::ApiRequest request;
  request.verb = step.verb;
  request.resource = step.resource;
  request.key = kube::Key(step.resource.namespaced ? variables.at("$NS") : "", filled(step.name, variables));
  request.subresource = step.subresource;
  request.patch_type = step.patch_type;
  request.content = step.content;
  request.body = filled(step.body, variables);
  for (const auto& [name, value] : step.query) request.query.emplace_back(name, filled(value, variables));
  return request;
}

std::string shown(const Step& step, json::View root) {
  std::string text;
  for (const auto& path : step.show) {
    auto value = at_path(root, path);
    text += " " + path + "=" + (value.is_absent() ? "absent" : value.text());
  }
  return text;
}

std::string outcome_of(const Step& step, const Result<kube::ApiReply>& reply, Variables& variables) {
  if (!reply) {
    const auto& error = reply.error();
    if (error.kind != Error::Kind::kStatus) return error.message();
    return std::to_string(error.code) + " " + error.reason + ": " + error.server_text;
  }
  auto outcome = std::to_string(reply->code);
  auto document = json::Document::parse(reply->body);
  if (!document) return outcome + " " + document.error().text;
  auto root = document->root();
  if (step.verb == kube::Verb::kList && !step.names_are_random) outcome += " " + names_of(root);
  outcome += shown(step, root);
  if (!step.keep.empty()) {
    auto text = [&root](const char* name) { return std::string(root.at({"metadata", name}).string().value_or("")); };
    variables["$UID_" + step.keep] = text("uid");
    variables["$RV_" + step.keep] = text("resourceVersion");
    variables["$MORE_" + step.keep] = text("continue");
  }
  return outcome;
}

// The server decides when to send bookmarks; only the one that ends the initial events is reported.
std::string event_text(const Step& step, std::string_view line) {
  auto event = kube::parse_watch_line(line);
  if (!event) return event.error().text;
  auto document = json::Document::parse(event->object);
  if (!document) return document.error().text;
  auto root = document->root();
  auto name = std::string(root.at({"metadata", "name"}).string().value_or(""));
  switch (event->type) {
    case kube::WatchEvent::Type::kAdded:
      return "ADDED " + name + shown(step, root);
    case kube::WatchEvent::Type::kModified:
      return "MODIFIED " + name + shown(step, root);
    case kube::WatchEvent::Type::kDeleted:
      return "DELETED " + name + shown(step, root);
    case kube::WatchEvent::Type::kError:
      return "ERROR " + root.find("code").text() + " " + std::string(root.find("reason").string().value_or(""));
    case kube::WatchEvent::Type::kBookmark:
      break;
  }
  auto ends = root.at({"metadata", "annotations", "k8s.io/initial-events-end"}).string();
  return ends ? "INITIAL-EVENTS-END" : "";
}

// All events of a watch until the server ends it (timeoutSeconds).
awaitable<std::string> watched(kube::Client& client, const Step& step, kube::ApiRequest request) {
  auto stream = co_await client.stream(std::move(request));
  if (!stream) {
    co_return std::to_string(stream.error().code) + " " + stream.error().reason + ": " + stream.error().server_text;
  }
  std::string told;
  json::LineSplitter lines;
  char buffer[4096];
  for (;;) {
    auto read = co_await (*stream)->read_some(buffer);
    if (!read) co_return told + " (" + read.error().text + ")";
    if (*read == 0) co_return told;
    auto fed = lines.feed(std::string_view(buffer, *read), [&](std::string_view line) -> Result<void> {
      auto text = event_text(step, line);
      if (!text.empty()) told += (told.empty() ? "" : ", ") + text;
      return {};
    });
    if (!fed) co_return fed.error().text;
  }
}

awaitable<std::string> perform(kube::Client& client, const Step& step, Variables& variables) {
  auto request = request_of(step, variables);
  if (step.verb == kube::Verb::kWatch) {
    auto events = co_await watched(client, step, std::move(request));
    co_return events;
  }
  auto reply = co_await client.send(std::move(request));
  co_return outcome_of(step, reply, variables);
}

}  // namespace

awaitable<std::vector<std::string>> converse(kube::Client& client, async::Clock& clock, std::string ns,
                                             Conversation conversation) {
  std::vector<std::string> differences;
  Variables variables{{"$NS", ns}};
  for (const auto& step : conversation.steps) {
    auto give_up = clock.now() + (step.eventually ? std::chrono::seconds(30) : std::chrono::seconds(0));
    auto outcome = co_await perform(client, step, variables);
    auto expected = filled(step.expect, variables);
    while (outcome != expected && clock.now() < give_up) {
      co_await async::sleep_for(clock, std::chrono::milliseconds(200));
      outcome = co_await perform(client, step, variables);
      expected = filled(step.expect, variables);
    }
    if (outcome != expected) {
      differences.push_back(conversation.name + ", " + step.what + ":\n  expected " + expected + "\n  got      " +
                            outcome);
    }
  }
  co_return differences;
}

}  // namespace keelson::testing
