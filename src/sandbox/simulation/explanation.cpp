#include "src/sandbox/simulation/explanation.hpp"

#include <algorithm>
#include <deque>
#include <optional>
#include <utility>

#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "keelson/json/value.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kObjectsOfKind = 10;
constexpr std::size_t kObjects = 25;
constexpr std::size_t kEventsOfObject = 5;
constexpr std::size_t kLineBytes = 600;

// "FailedCreate: no room (3 times)"
std::string times_text(std::int64_t times) {
  return times > 1 ? " (" + std::to_string(times) + " times)" : std::string();
}

std::string string_or_empty(json::View view) { return std::string(view.string().value_or("")); }

class Explanation {
 public:
  explicit Explanation(const ExplanationParts& parts)
      : parts_(parts), events_(parts.server.objects(kube::core_events())) {}

  void add_problems();
  void add_errors();
  void add_objects();

  std::string text;

 private:
  // Printed before the next line, if there is one.
  void begin_section(std::string title) { section_ = std::move(title); }
  void line(int depth, const std::string& what) {
    const auto title = std::exchange(section_, "");
    if (!title.empty()) line(1, title);
    text += std::string(static_cast<std::size_t>(depth) * 2, ' ') + kube::short_text(what, kLineBytes) + "\n";
  }
  void add_read();
  void add_kind(const kube::Resource& resource);
  void add_children(const kube::Resource& resource);
  void add_object(const kube::Resource& resource, const kube::Object& object);
  void add_status(const kube::Object& object);
  void add_events(const kube::Resource& resource, const kube::Key& key);

  const ExplanationParts& parts_;
  std::vector<kube::Object> events_;
  std::vector<std::pair<kube::Resource, kube::Key>> shown_;
  std::string section_;
};

void Explanation::add_problems() {
  if (parts_.problems.empty()) return;
  line(1, "Problems of the operator:");
  for (const auto& problem : parts_.problems.all()) {
    line(2, problem.text + times_text(static_cast<std::int64_t>(problem.times)));
  }
}

void Explanation::add_errors() {
  if (!parts_.manager_runs) line(1, "No manager is running: call start_manager().");
  if (parts_.log.errors().empty()) return;
  line(1, "Last errors in the log of the manager:");
  for (const auto& entry : parts_.log.errors()) {
    const auto time = std::chrono::time_point_cast<kube::Time::duration>(entry.time);
    line(2, kube::format_time(time) + " " + entry.text + times_text(static_cast<std::int64_t>(entry.times)));
  }
}

void Explanation::add_objects() {
  add_read();
  for (const auto& definition : parts_.definitions) {
    if (definition.parts().is_of_existing_kind) add_kind(definition.resource());
    for (const auto& kind : definition.parts().kinds) add_kind(kind.resource);
  }
  for (const auto& definition : parts_.definitions) {
    for (const auto& source : definition.parts().sources) add_children(source.resource);
  }
}

void Explanation::add_read() {
  if (parts_.read.empty()) return;
  line(1, "Objects that the condition reads:");
  for (const auto& [resource, key] : parts_.read) {
    std::optional<kube::Object> found;
    for (const auto& object : parts_.server.objects(resource)) {
      if (object.key() == key) found = object;
    }
    if (found) {
      add_object(resource, *found);
    } else {
      line(2, resource.kind + " " + key.text() + ": does not exist");
    }
  }
}

void Explanation::add_kind(const kube::Resource& resource) {
  const auto objects = parts_.server.objects(resource);
  line(1, resource.qualified_plural() + (objects.empty() ? ": none" : ":"));
  const auto end = objects.begin() + static_cast<std::ptrdiff_t>(std::min(objects.size(), kObjectsOfKind));
  std::for_each(objects.begin(), end, [&](const kube::Object& object) { add_object(resource, object); });
  if (objects.size() > kObjectsOfKind) line(2, "and " + std::to_string(objects.size() - kObjectsOfKind) + " more");
}

// Adds the objects that an object of the operator controls.
void Explanation::add_children(const kube::Resource& resource) {
  std::size_t count = 0;
  begin_section(resource.qualified_plural() + " that they control:");
  for (const auto& object : parts_.server.objects(resource)) {
    const auto owner = object.controller_owner();
    const bool is_ours = owner && std::ranges::any_of(parts_.definitions, [&](const auto& one) {
                           return one.resource().kind == owner->kind;
                         });
    if (is_ours && count++ < kObjectsOfKind) add_object(resource, object);
  }
  begin_section("");
}

void Explanation::add_object(const kube::Resource& resource, const kube::Object& object) {
  const auto place = std::pair(resource, object.key());
  if (shown_.size() >= kObjects || std::ranges::find(shown_, place) != shown_.end()) return;
  shown_.push_back(place);
  line(2, resource.kind + " " + object.key().text() + (object.deleting() ? ", is being deleted" : ""));
  add_status(object);
  add_events(resource, object.key());
}

void Explanation::add_status(const kube::Object& object) {
  const auto document = json::Document::parse(object.json());
  if (!document) return;
  const auto status = document->root().find("status");
  const auto observed = status.find("observedGeneration").integer();
  if (observed && *observed != object.generation()) {
    line(3, "observedGeneration is " + std::to_string(*observed) + ", generation is " +
                std::to_string(object.generation()));
  }
  for (auto condition : status.find("conditions").items()) {
    line(3, string_or_empty(condition.find("type")) + "=" + string_or_empty(condition.find("status")) + " " +
                string_or_empty(condition.find("reason")) + ": " + string_or_empty(condition.find("message")));
  }
}

void Explanation::add_events(const kube::Resource& resource, const kube::Key& key) {
  std::deque<std::string> lines;
  for (const auto& object : events_) {
    const auto document = json::Document::parse(object.json());
    if (!document) continue;
    const auto event = document->root();
    const auto about = event.find("involvedObject");
    if (about.find("kind").string() != resource.kind || about.find("name").string() != key.name ||
        string_or_empty(about.find("namespace")) != key.ns) {
      continue;
    }
    const auto count = event.at({"series", "count"}).integer().value_or(event.find("count").integer().value_or(1));
    lines.push_back("Event " + string_or_empty(event.find("type")) + " " + string_or_empty(event.find("reason")) +
                    ": " + string_or_empty(event.find("message")) + times_text(count));
    if (lines.size() > kEventsOfObject) lines.pop_front();
  }
  for (const auto& one : lines) line(3, one);
}

}  // namespace

std::string explain(std::string headline, const ExplanationParts& parts) {
  Explanation explanation(parts);
  explanation.text = std::move(headline) + "\n";
  explanation.add_problems();
  explanation.add_errors();
  explanation.add_objects();
  return std::move(explanation.text);
}

}  // namespace keelson::sandbox
