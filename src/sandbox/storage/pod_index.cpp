#include "src/sandbox/storage/pod_index.hpp"

#include <cstddef>
#include <limits>

#include "keelson/json/value.hpp"

namespace keelson::sandbox {

namespace {

// Neither a namespace nor the name of a label contains a space.
std::string label_of(std::string_view ns, std::string_view name, std::string_view value) {
  std::string label(ns);
  return label.append(" ").append(name).append(" ").append(value);
}

const PodIndex::Keys& keys_in(const std::map<std::string, PodIndex::Keys, std::less<>>& all, std::string_view label) {
  static const PodIndex::Keys kNone;
  const auto found = all.find(label);
  return found == all.end() ? kNone : found->second;
}

}  // namespace

void PodIndex::add(const ServedKind& kind, const kube::Object& object) {
  if (kind.resource == kube::services()) return add_service(object);
  if (kind.resource != kube::pods()) return;
  object.for_each_label([&](std::string_view name, std::string_view value) {
    pods_[label_of(object.ns(), name, value)].insert(object.key());
  });
}

void PodIndex::remove(const ServedKind& kind, const kube::Object& object) {
  if (kind.resource == kube::services()) return remove_service(object.key());
  if (kind.resource != kube::pods()) return;
  object.for_each_label([&](std::string_view name, std::string_view value) {
    const auto found = pods_.find(label_of(object.ns(), name, value));
    if (found == pods_.end()) return;
    found->second.erase(object.key());
    if (found->second.empty()) pods_.erase(found);
  });
}

void PodIndex::clear() {
  pods_.clear();
  services_.clear();
  labels_of_services_.clear();
}

const PodIndex::Keys& PodIndex::pods_with(std::string_view ns, const Tree& labels) const {
  const Keys* fewest = nullptr;
  for (const auto& [name, value] : labels.members()) {
    const auto& pods = keys_in(pods_, label_of(ns, name, value.scalar()));
    if (fewest == nullptr || pods.size() < fewest->size()) fewest = &pods;
  }
  return fewest == nullptr ? keys_in(pods_, "") : *fewest;
}

PodIndex::Keys PodIndex::services_of(const kube::Object& pod) const {
  Keys found;
  pod.for_each_label([&](std::string_view name, std::string_view value) {
    const auto& services = keys_in(services_, label_of(pod.ns(), name, value));
    found.insert(services.begin(), services.end());
  });
  return found;
}

void PodIndex::add_service(const kube::Object& service) {
  const auto document = json::Document::parse(service.json());
  if (!document) return;
  std::string rarest;
  auto fewest = std::numeric_limits<std::size_t>::max();
  for (const auto& [name, value] : document->root().at({"spec", "selector"}).members()) {
    auto label = label_of(service.ns(), name, value.string().value_or(""));
    const auto count = keys_in(services_, label).size();
    if (count >= fewest) continue;
    fewest = count;
    rarest = std::move(label);
  }
  if (rarest.empty()) return;
  services_[rarest].insert(service.key());
  labels_of_services_.insert_or_assign(service.key(), std::move(rarest));
}

void PodIndex::remove_service(const kube::Key& key) {
  const auto label = labels_of_services_.find(key);
  if (label == labels_of_services_.end()) return;
  const auto services = services_.find(label->second);
  services->second.erase(key);
  if (services->second.empty()) services_.erase(services);
  labels_of_services_.erase(label);
}

}  // namespace keelson::sandbox
