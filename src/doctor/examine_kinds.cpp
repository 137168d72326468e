#include "src/doctor/examination.hpp"

#include <algorithm>
#include <utility>

#include "src/doctor/api_server.hpp"
#include "src/doctor/kinds.hpp"
#include "src/doctor/limits.hpp"
#include "src/doctor/objects.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

awaitable<void> Examination::examine_kinds() {
  const auto kinds = controller::kinds_of(examined_.controllers);
  Requests definitions;
  for (const auto& kind : kinds) {
    definitions.emplace_back(get_of(kube::custom_resource_definitions(), "", kind.resource.qualified_plural()));
  }
  co_await reader_.read(definitions);
  for (std::size_t i = 0; i < kinds.size(); ++i) check_kind(kinds[i], definitions[i].reply, report_.findings);
  report_.findings.summarize(Area::kKinds, std::to_string(kinds.size()) + " CustomResourceDefinitions");
}

awaitable<void> Examination::examine_watches() {
  if (examined_.controllers.empty()) co_return;
  auto request = get_of(examined_.controllers.front().resource(), "", "");
  request.verb = kube::Verb::kWatch;
  request.content = kube::Content::kMetadata;
  // No object has this name, so that the bookmark is the first event.
  request.query = {{"allowWatchBookmarks", "true"},
                   {"fieldSelector", "metadata.name=keelson-doctor"},
                   {"sendInitialEvents", "true"},
                   {"resourceVersionMatch", "NotOlderThan"},
                   // Any state: the newest one would need etcd, and without etcd the bookmark would be late.
                   {"resourceVersion", "0"},
                   {"timeoutSeconds", "2"}};
  StreamedReply watch;
  co_await reader_.stream(std::move(request), has_bookmark, watch);
  check_watch(watch, report_.findings);
}

awaitable<void> Examination::examine_writers() {
  std::vector<kube::Resource> owners;
  for (const auto& definition : examined_.controllers) owners.push_back(definition.resource());
  const auto children = kinds_of_children();
  auto lists = lists_of(children, kube::Content::kMetadata);
  co_await reader_.read(lists);
  for (const auto& [request, reply] : lists) {
    if (reply) check_writers(request.resource, reply->root(), owners, examined_.name, report_.findings);
    add_unless_missing(Area::kWriters, reply, report_.findings);
  }
  report_.findings.summarize(Area::kWriters, std::to_string(children.size()) + " kinds of children");
}

awaitable<void> Examination::examine_objects() {
  std::vector<kube::Resource> own;
  for (const auto& definition : examined_.controllers) {
    if (!definition.is_of_existing_kind()) own.push_back(definition.resource());
  }
  auto lists = lists_of(own, kube::Content::kWhole);
  co_await reader_.read(lists);
  std::size_t examined = 0;
  std::int64_t remaining = 0;
  for (const auto& [request, reply] : lists) {
    add_unless_missing(Area::kObjects, reply, report_.findings);
    if (!reply) continue;
    const auto root = reply->root();
    examined += root.find("items").size();
    if (!text_at(root, {"metadata", "continue"}).empty()) {
      remaining += root.at({"metadata", "remainingItemCount"}).integer().value_or(1);
    }
    check_objects(request.resource, root, examined_.name, server_now(), report_.findings);
    for (const auto object : root.find("items").items())
      examined_objects_.insert(object_subject(request.resource, object));
  }
  for (const auto& resource : own) {
    const bool is_whole = std::all_of(lists.begin(), lists.end(), [&](const auto& list) {
      return list.request.resource != resource ||
             (list.reply && text_at(list.reply->root(), {"metadata", "continue"}).empty());
    });
    if (is_whole) examined_objects_.insert(resource.qualified_plural());
  }
  auto summary = std::to_string(examined) + " objects were examined";
  if (remaining > 0) summary += ", " + std::to_string(remaining) + " more were not";
  report_.findings.summarize(Area::kObjects, std::move(summary));
  co_await examine_not_owned(lists);
}

awaitable<void> Examination::examine_not_owned(const Requests& lists) {
  std::vector<NotOwnedChild> found;
  const auto children = kinds_of_children();
  for (const auto& [request, reply] : lists) {
    if (!reply) continue;
    auto of_list = not_owned_children(request.resource, reply->root(), children);
    found.insert(found.end(), of_list.begin(), of_list.end());
  }
  if (found.size() > limits::kNotOwnedChildren) found.resize(limits::kNotOwnedChildren);
  Requests objects;
  for (const auto& child : found) {
    if (child.key.name.empty()) continue;
    objects.emplace_back(get_of(child.resource, child.key.ns, child.key.name));
    objects.back().request.content = kube::Content::kMetadata;
  }
  co_await reader_.read(objects);
  const Reading unread = malformed_error("not read");
  auto next = objects.begin();
  for (const auto& child : found) {
    check_not_owned(child, child.key.name.empty() ? unread : (next++)->reply, report_.findings);
  }
}

std::vector<kube::Resource> Examination::kinds_of_children() const {
  std::vector<kube::Resource> children;
  for (const auto& definition : examined_.controllers) {
    for (const auto& source : definition.sources()) {
      const bool is_known = std::find(children.begin(), children.end(), source.resource) != children.end();
      if (source.is_owned && !is_known) children.push_back(source.resource);
    }
  }
  return children;
}

Requests Examination::lists_of(const std::vector<kube::Resource>& resources, kube::Content content) const {
  auto namespaces = flags_.watch_namespaces;
  if (namespaces.empty()) namespaces.emplace_back();
  if (namespaces.size() > limits::kReviewedNamespaces) namespaces.resize(limits::kReviewedNamespaces);
  Requests lists;
  for (const auto& resource : resources) {
    for (const auto& ns : namespaces) {
      lists.emplace_back(list_of(resource, ns, sample()));
      lists.back().request.content = content;
    }
  }
  return lists;
}

}  // namespace keelson::doctor
