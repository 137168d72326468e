#include "src/sandbox/verbs/scale.hpp"

#include "src/sandbox/fields/simple_path.hpp"

namespace keelson::sandbox {

namespace {

std::string scale_selector(const Tree* selector) {
  if (selector == nullptr) return {};
  if (selector->is_string()) return selector->scalar();
  const Tree* labels = selector->find("matchLabels");
  std::string text;
  for (const auto& [name, value] : (labels != nullptr ? *labels : *selector).members()) {
    if (!text.empty()) text += ",";
    text += name + "=" + value.scalar();
  }
  return text;
}

}  // namespace

Tree scale_of(const ServedKind& kind, const Tree& object) {
  auto metadata = Tree::object();
  for (const char* name : {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
    if (const Tree* value = object.at({"metadata", name})) metadata[name] = *value;
  }
  auto scale = Tree::object({{"kind", "Scale"}, {"apiVersion", "autoscaling/v1"}, {"metadata", metadata}});
  const Tree* desired = at_path(object, kind.scale.spec_replicas);
  const Tree* current = at_path(object, kind.scale.status_replicas);
  scale["spec"] = Tree::object();
  if (desired != nullptr) scale["spec"]["replicas"] = *desired;
  scale["status"] = Tree::object({{"replicas", current != nullptr ? *current : Tree(0)}});
  const bool has_selector = !kind.scale.selector.empty();
  const auto selector = has_selector ? scale_selector(at_path(object, kind.scale.selector)) : std::string();
  if (!selector.empty()) scale["status"]["selector"] = selector;
  return scale;
}

Tree rescaled(const ServedKind& kind, Tree object, const Tree& scale) {
  const Tree* replicas = scale.at({"spec", "replicas"});
  put_at(object, kind.scale.spec_replicas, replicas != nullptr ? *replicas : Tree(0));
  return object;
}

Tree empty_configuration(const Call& call) {
  return Tree::object({{"apiVersion", call.resource().api_version()},
                       {"kind", call.resource().kind},
                       {"metadata", Tree::object({{"name", call.key.name}})}});
}

Tree scale_configuration(const Call& call, const Tree& scale) {
  auto configuration = empty_configuration(call);
  if (const Tree* replicas = scale.at({"spec", "replicas"})) {
    put_at(configuration, call.kind->scale.spec_replicas, *replicas);
  }
  return configuration;
}

RejectionOr<Answer> as_answer(const Call& call, RejectionOr<Answer> written) {
  if (!written || call.subresource != Subresource::kScale) return written;
  const auto object = Tree::parse(written->body);
  if (!object) return bad_request(object.error().text);
  return Answer{200, scale_of(*call.kind, *object).text()};
}

}  // namespace keelson::sandbox
