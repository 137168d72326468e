#include "src/controller/pause_reporter.hpp"

#include <algorithm>
#include <utility>

#include "keelson/base/try.hpp"
#include "src/controller/request_policy.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

// The message names so many children; all of them are in the log.
constexpr std::size_t kNamedChildren = 5;

std::string name_of(const PausedChild& child) { return child.kind + " " + child.key.text(); }

std::string message_of(const std::vector<PausedChild>& children) {
  std::string message;
  for (std::size_t i = 0; i < children.size() && i < kNamedChildren; ++i) {
    message += (i == 0 ? "" : " ") + name_of(children[i]) + " is not changed. " + children[i].pause.message;
  }
  if (children.size() > kNamedChildren) {
    message += " Further paused children: " + std::to_string(children.size() - kNamedChildren) + ".";
  }
  return message;
}

// Stores the message; true if it differs from the last one.
bool is_news(std::map<kube::Key, std::string>& logged, const kube::Key& key, const std::string& message) {
  auto& last = logged[key];
  if (last == message) return false;
  last = message;
  return true;
}

}  // namespace

PauseReporter::PauseReporter(async::Clock& clock, kube::Resource resource, Conditions conditions)
    : clock_(clock), resource_(std::move(resource)), conditions_(conditions) {}

Task<bool> PauseReporter::report(kube::Client& client, kube::Object object, Pause pause, Logger log) {
  if (is_news(paused_, object.key(), pause.message)) {
    log.info("Paused: nothing is written for this object", {{"message", pause.message}});
  }
  co_return co_await set(client, std::move(object), kPausedReason, std::move(pause.message));
}

Task<bool> PauseReporter::report(kube::Client& client, kube::Object object, std::vector<PausedChild> children,
                                 Logger log) {
  if (children.empty()) {
    if (children_.erase(object.key()) > 0) log.info("Resumed: no child is paused any more");
    co_return co_await end(client, std::move(object));
  }
  // In one order, or the message would change with each pass.
  std::ranges::sort(children, {}, name_of);
  auto message = message_of(children);
  if (is_news(children_, object.key(), message)) {
    for (const auto& child : children) {
      log.info("Paused: nothing is written for this child",
               {{"child", name_of(child)}, {"message", child.pause.message}});
    }
  }
  co_return co_await set(client, std::move(object), kChildPausedReason, std::move(message));
}

Task<bool> PauseReporter::end(kube::Client& client, kube::Object object) {
  return set(client, std::move(object), kResumedReason, "The pause is over.");
}

void PauseReporter::note_resumed(const kube::Key& key, const Logger& log) {
  if (paused_.erase(key) > 0) log.info("Resumed: the object is reconciled again");
}

void PauseReporter::forget(const kube::Key& key) {
  paused_.erase(key);
  children_.erase(key);
}

Task<bool> PauseReporter::set(kube::Client& client, kube::Object object, std::string_view reason, std::string message) {
  if (conditions_ == Conditions::kNone) co_return true;
  KEELSON_CO_LET(auto body, paused_patch(object, reason, message, clock_.wall_now()));
  if (!body) co_return true;
  auto written =
      co_await kube::patch(client, resource_, object.key(), kube::PatchType::kMerge, std::move(*body), "status");
  if (written) co_return true;
  if (kube::is_not_found(written.error())) co_return false;
  co_return std::move(written).error().with_context("writing the condition Paused");
}

}  // namespace keelson::controller
