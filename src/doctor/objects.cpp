#include "src/doctor/objects.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/definition_parts.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/schema/time.hpp"
#include "src/doctor/sample.hpp"
#include "src/doctor/writers.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// Children that are not owned, of which the owner is read.
constexpr std::size_t kNotOwnedChildren = 10;

// A finalizer and the termination of pods take seconds.
constexpr std::chrono::minutes kLongDeletion{1};
constexpr std::chrono::minutes kLongReconcile{1};
// A rollout takes minutes.
constexpr std::chrono::minutes kLongRollout{10};

// The age at a path; zero if there is no time.
async::Duration age_at(json::View object, std::initializer_list<std::string_view> path, async::WallTime now) {
  const auto time = kube::parse_time(text_at(object, path));
  return time ? now - *time : async::Duration{};
}

// The time since the last change that is not of a subresource; without managedFields the age of the object.
async::Duration age_of_change(json::View object, async::WallTime now) {
  auto age = age_at(object, {"metadata", "creationTimestamp"}, now);
  for (const auto entry : object.at({"metadata", "managedFields"}).items()) {
    if (entry.find("subresource").has_value() || !entry.find("time").is_string()) continue;
    age = std::min(age, age_at(entry, {"time"}, now));
  }
  return age;
}

// "CrashLoopBackOff: Pod web-x … (since 2026-01-02T15:04:05Z)"
std::string reason_of(json::View condition) {
  auto text = text_at(condition, {"reason"});
  if (const auto message = text_at(condition, {"message"}); !message.empty()) text += ": " + message;
  if (const auto since = text_at(condition, {"lastTransitionTime"}); !since.empty()) text += " (since " + since + ")";
  return text;
}

// Objects with one reason have one finding.
std::string group_of(json::View condition) { return "reason " + text_at(condition, {"reason"}); }

json::View condition_at(json::View object, std::string_view type) {
  return json::item_with(object.at({"status", "conditions"}), "type", type);
}

// The condition is about an object that has the name of a child: "Deployment a/web exists and is not controlled by
// this Memcached."
constexpr std::string_view kNotOwnedText = " exists and is not controlled by this ";
bool is_about_owner(json::View stalled) {
  return text_at(stalled, {"reason"}) == "NotOwned" &&
         text_at(stalled, {"message"}).find(kNotOwnedText) != std::string::npos;
}

// An object that is stalled has that finding already.
void check_health(const std::string& subject, json::View object, async::WallTime now, Findings& findings) {
  const auto degraded = condition_at(object, "Degraded");
  const auto ready = condition_at(object, "Ready");
  if (degraded.find("status").string() == "True") {
    findings.add("object-degraded", subject, reason_of(degraded), group_of(degraded));
  } else if (ready.find("status").string() == "False") {
    const bool is_long = age_at(ready, {"lastTransitionTime"}, now) > kLongRollout;
    findings.add(is_long ? "object-not-ready" : "object-not-ready-yet", subject, reason_of(ready), group_of(ready));
  }
}

// A child that is not owned has a finding of its own (not_owned_children).
void add_stalled(const std::string& subject, json::View stalled, Findings& findings) {
  if (is_about_owner(stalled)) return;
  findings.add("object-stalled", subject, reason_of(stalled), group_of(stalled));
}

// The rule of controller::pause_of(): any other value pauses.
bool is_pause(const std::string& value, async::WallTime now) {
  const auto until = kube::parse_time(value);
  return !value.empty() && value != "false" && !(until && *until <= now);
}

bool is_paused(json::View object, const kube::OperatorName& name, async::WallTime now) {
  return condition_of(object, "Paused") == "True" ||
         is_pause(text_at(object, {"metadata", "annotations", name.annotation("paused")}), now);
}

void check_object(const std::string& subject, json::View object, const kube::OperatorName& name, async::WallTime now,
                  Findings& findings) {
  const bool is_deleting = object.at({"metadata", "deletionTimestamp"}).has_value();
  if (is_deleting && age_at(object, {"metadata", "deletionTimestamp"}, now) <= kLongDeletion) return;
  const bool paused = is_paused(object, name, now);
  if (paused) findings.add("object-paused", subject, "", "paused");
  if (condition_of(object, "Conflict") == "True") {
    findings.add("object-conflict", subject, text_at(condition_at(object, "Conflict"), {"message"}));
  }
  const bool is_stalled = condition_of(object, "Stalled") == "True";
  if (is_stalled) add_stalled(subject, condition_at(object, "Stalled"), findings);
  if (!is_stalled && !is_deleting && !paused) check_health(subject, object, now, findings);
  if (is_deleting) {
    std::vector<std::string> finalizers;
    for (const auto finalizer : object.at({"metadata", "finalizers"}).items()) {
      finalizers.emplace_back(finalizer.string().value_or(""));
    }
    auto blocking = base::join(finalizers, ", ");
    findings.add("object-deletion-stuck", subject, blocking, "by " + blocking);
    return;
  }
  const auto observed = object.at({"status", "observedGeneration"}).integer();
  const auto generation = object.at({"metadata", "generation"}).integer().value_or(0);
  if (!paused && observed && *observed < generation && age_of_change(object, now) > kLongReconcile) {
    findings.add("object-not-reconciled", subject,
                 "observedGeneration " + std::to_string(*observed) + ", generation " + std::to_string(generation),
                 "generation");
  }
}

// "Deployment web", with the version of its API for kinds that others have, too.
std::string controller_of(json::View object) {
  for (const auto reference : object.at({"metadata", "ownerReferences"}).items()) {
    if (!reference.find("controller").boolean().value_or(false)) continue;
    return text_at(reference, {"kind"}) + " " + text_at(reference, {"name"}) + " (" +
           text_at(reference, {"apiVersion"}) + ")";
  }
  return "";
}

// "kubectl-client-side-apply, helm": the writers of an object without a controller.
std::string writers_of(json::View object) {
  std::vector<std::string> writers;
  for (const auto entry : object.at({"metadata", "managedFields"}).items()) {
    auto writer = text_at(entry, {"manager"});
    // The controllers of Kubernetes write into every object.
    const bool is_known = writer == "kube-controller-manager" || std::ranges::find(writers, writer) != writers.end();
    if (!entry.find("subresource").has_value() && !is_known && writers.size() < 5) writers.push_back(std::move(writer));
  }
  return base::join(writers, ", ");
}

// The children of the lists that are not owned, with their controllers or writers.
awaitable<void> examine_not_owned(Reader& reader, const Requests& lists, const std::vector<kube::Resource>& children,
                                  Findings& findings) {
  std::vector<NotOwnedChild> found;
  for (const auto& [request, reply] : lists) {
    if (!reply) continue;
    auto of_list = not_owned_children(request.resource, reply->root(), children);
    found.insert(found.end(), of_list.begin(), of_list.end());
  }
  if (found.size() > kNotOwnedChildren) found.resize(kNotOwnedChildren);
  Requests objects;
  for (const auto& child : found) {
    if (child.key.name.empty()) continue;
    objects.emplace_back(get_of(child.resource, child.key.ns, child.key.name));
    objects.back().request.content = kube::Content::kMetadata;
  }
  co_await reader.read(objects);
  const Reading unread = malformed_error("not read");
  auto next = objects.begin();
  for (const auto& child : found) {
    check_not_owned(child, child.key.name.empty() ? unread : (next++)->reply, findings);
  }
}

}  // namespace

awaitable<void> examine_objects(Reader& reader, const Installation& installation, std::set<std::string>& known,
                                Findings& findings) {
  const auto& examined = installation.examined;
  std::vector<kube::Resource> own;
  for (const auto& definition : examined.controllers) {
    if (!definition.parts().is_of_existing_kind) own.push_back(definition.resource());
  }
  const auto& namespaces = installation.flags.watch_namespaces;
  auto lists = sampled_lists(own, kube::Content::kWhole, namespaces);
  co_await reader.read(lists);
  SampleCount count(namespaces.size());
  std::set<std::string> partial;
  for (const auto& [request, reply] : lists) {
    // A missing kind has a finding of its own.
    if (!reply) findings.add_unread(Area::kObjects, reply.error());
    if (!reply || !is_whole(reply->root())) partial.insert(request.resource.qualified_plural());
    if (!reply) continue;
    count.add(reply->root());
    check_objects(request.resource, reply->root(), examined.name, reader.server_now(), findings);
    for (const auto object : reply->root().find("items").items()) {
      known.insert(object_subject(request.resource, object));
    }
  }
  for (const auto& resource : own) {
    const auto kind = resource.qualified_plural();
    if (!partial.contains(kind) && count.has_all_namespaces()) known.insert(kind);
  }
  findings.summarize(Area::kObjects, count.text());
  co_await examine_not_owned(reader, lists, kinds_of_children(examined.controllers), findings);
}

std::string object_subject(const kube::Resource& resource, json::View object) {
  const auto ns = text_at(object, {"metadata", "namespace"});
  return resource.qualified_plural() + "/" + (ns.empty() ? "" : ns + "/") + text_at(object, {"metadata", "name"});
}

std::vector<NotOwnedChild> not_owned_children(const kube::Resource& resource, json::View list,
                                              const std::vector<kube::Resource>& children) {
  std::vector<NotOwnedChild> found;
  for (const auto object : list.find("items").items()) {
    const auto stalled = condition_at(object, "Stalled");
    if (text_at(stalled, {"status"}) != "True" || !is_about_owner(stalled)) continue;
    NotOwnedChild child;
    child.owner = object_subject(resource, object);
    child.message = text_at(stalled, {"message"});
    const auto text = child.message.substr(0, child.message.find(kNotOwnedText));
    const auto blank = text.find(' ');
    const auto kind = std::ranges::find_if(
        children, [&](const kube::Resource& candidate) { return candidate.kind == text.substr(0, blank); });
    if (kind != children.end() && blank != std::string::npos) {
      const auto slash = text.find('/', blank);
      child.resource = *kind;
      child.key.ns = slash == std::string::npos ? "" : text.substr(blank + 1, slash - blank - 1);
      child.key.name = text.substr(slash == std::string::npos ? blank + 1 : slash + 1);
    }
    found.push_back(std::move(child));
  }
  return found;
}

void check_not_owned(const NotOwnedChild& child, const Reading& object, Findings& findings) {
  auto detail = child.message;
  if (object) {
    const auto controller = controller_of(object->root());
    const auto writers = writers_of(object->root());
    detail += controller.empty() ? " It has no controller" : " It is controlled by " + controller;
    if (!writers.empty()) detail += ", and its fields are of " + writers;
  } else if (child.key.name.empty()) {
    detail += " Its kind is not one of the children";
  } else {
    detail += " It could not be read: " + object.error().message();
  }
  findings.add("object-child-not-owned", child.owner, std::move(detail));
}

void check_objects(const kube::Resource& resource, json::View list, const kube::OperatorName& name, async::WallTime now,
                   Findings& findings) {
  for (const auto object : list.find("items").items()) {
    check_object(object_subject(resource, object), object, name, now, findings);
  }
}

}  // namespace keelson::doctor
