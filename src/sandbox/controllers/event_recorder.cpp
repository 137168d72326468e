#include "src/sandbox/controllers/event_recorder.hpp"

#include <algorithm>
#include <charconv>

#include "keelson/detail/sandbox/limits.hpp"

namespace keelson::sandbox {

namespace {

// The defaults of client-go's EventCorrelator.
constexpr std::size_t kMostKnown = 4096;
constexpr std::size_t kMostSimilar = 10;
constexpr auto kSimilarFor = std::chrono::minutes(10);
constexpr double kBurstOfEvents = 25;
constexpr double kEventsPerSecond = 1.0 / 300;

std::string namespace_of_event(const kube::Object& object) {
  return object.ns().empty() ? "default" : std::string(object.ns());
}

Tree metadata_of(const std::string& name, const std::string& ns) {
  return Tree::object({{"name", name}, {"namespace", ns}});
}

}  // namespace

void EventRecorder::record(Operations& by, const RecordedEvent& event) {
  const auto about = event.component + "/" + std::string(event.object.uid());
  auto [message, counted_as] = combined(about + event.field_path + event.type + event.reason, event.message);
  if (!is_allowed(about)) return;
  const auto now = world_.time_text();
  if (counted_.size() >= kMostKnown) counted_.clear();
  auto& counted = counted_[counted_as];
  ++counted.count;
  if (const Tree* former = counted.count > 1 ? by.tree(kube::core_events(), counted.key) : nullptr) {
    auto next = *former;
    next["count"] = counted.count;
    next["lastTimestamp"] = now;
    next["message"] = message;
    by.write(kube::core_events(), counted.key, std::move(next));
    return;
  }
  counted = {kube::Key(namespace_of_event(event.object), name_of(event.object)), 1, now};
  auto involved = reference_to(event.resource, event.object);
  if (!event.field_path.empty()) involved["fieldPath"] = event.field_path;
  auto source = Tree::object({{"component", event.component}});
  if (!event.host.empty()) source["host"] = event.host;
  create(by, counted.key.ns,
         Tree::object({{"metadata", metadata_of(counted.key.name, counted.key.ns)},
                       {"involvedObject", involved},
                       {"reason", event.reason},
                       {"message", message},
                       {"source", source},
                       {"firstTimestamp", now},
                       {"lastTimestamp", now},
                       {"count", 1},
                       {"type", event.type},
                       {"eventTime", Tree()},
                       {"reportingComponent", event.component},
                       {"reportingInstance", event.host}}));
}

void EventRecorder::record_binding(Operations& by, const kube::Object& pod, const std::string& node) {
  auto where = std::string(pod.ns()) + "/" + std::string(pod.name());
  record_scheduling(by, pod, {"Normal", "Scheduled", "Successfully assigned " + where + " to " + node, "Binding"});
}

void EventRecorder::record_unschedulable(Operations& by, const kube::Object& pod, const std::string& why) {
  record_scheduling(by, pod, {"Warning", "FailedScheduling", why, "Scheduling"});
}

void EventRecorder::record_scheduling(Operations& by, const kube::Object& pod, const Scheduling& what) {
  const auto ns = namespace_of_event(pod);
  auto now = std::chrono::time_point_cast<kube::Time::duration>(world_.clock.wall_now());
  create(by, ns,
         Tree::object({{"metadata", metadata_of(name_of(pod), ns)},
                       {"involvedObject", reference_to(kube::pods(), pod)},
                       {"reason", what.reason},
                       {"message", what.message},
                       {"source", Tree::object()},
                       {"firstTimestamp", Tree()},
                       {"lastTimestamp", Tree()},
                       {"type", what.type},
                       {"eventTime", kube::format_micro_time(now)},
                       {"action", what.action},
                       {"reportingComponent", "default-scheduler"},
                       {"reportingInstance", "default-scheduler-sandbox"}}));
}

bool EventRecorder::is_allowed(const std::string& object) {
  if (allowances_.size() >= kMostKnown) allowances_.clear();
  const auto now = world_.clock.now();
  auto [found, is_new] = allowances_.try_emplace(object, Allowance{kBurstOfEvents, now});
  auto& allowance = found->second;
  auto passed = std::chrono::duration<double>(now - allowance.refilled).count();
  allowance.tokens = std::min(kBurstOfEvents, allowance.tokens + passed * kEventsPerSecond);
  allowance.refilled = now;
  if (allowance.tokens < 1) return false;
  allowance.tokens -= 1;
  return true;
}

std::pair<std::string, std::string> EventRecorder::combined(const std::string& group, const std::string& message) {
  if (similar_.size() >= kMostKnown) similar_.clear();
  const auto now = world_.clock.now();
  auto& similar = similar_[group];
  if (now - similar.last > kSimilarFor) similar.messages.clear();
  similar.last = now;
  similar.messages.insert(message);
  if (similar.messages.size() < kMostSimilar) return {message, group + message};
  similar.messages.erase(similar.messages.begin());
  return {"(combined from similar events): " + message, group};
}

// Name and time, as in client-go; the counter makes the names of simultaneous Events unique.
std::string EventRecorder::name_of(const kube::Object& object) {
  auto now = std::chrono::duration_cast<std::chrono::nanoseconds>(world_.clock.wall_now().time_since_epoch()).count();
  last_name_ = std::max<std::int64_t>(last_name_ + 1, now);
  char digits[16] = {};
  auto end = std::to_chars(digits, digits + sizeof(digits), last_name_, 16).ptr;
  return std::string(object.name()) + "." + std::string(digits, end);
}

void EventRecorder::create(Operations& by, const std::string& ns, Tree event) {
  recorded_.emplace_back(ns, event.text_at({"metadata", "name"}));
  by.create(kube::core_events(), ns, std::move(event));
  if (recorded_.size() <= limits::kSandboxEvents) return;
  by.remove(kube::core_events(), recorded_.front());
  recorded_.pop_front();
}

}  // namespace keelson::sandbox
