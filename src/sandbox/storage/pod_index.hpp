// Finds the pods that a Service may select, and the Services that may select a pod, without reading all of them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/kube/object.hpp"
#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

class PodIndex {
 public:
  using Keys = std::set<kube::Key>;

  // Objects of other kinds are ignored.
  void add(const ServedKind& kind, const kube::Object& object);
  // An object that was added.
  void remove(const ServedKind& kind, const kube::Object& object);
  void clear();

  // By name: all pods of the namespace that have these labels, and maybe others. Empty without labels.
  [[nodiscard]] const Keys& pods_with(std::string_view ns, const Tree& labels) const;
  // By name: all Services whose selector matches the pod, and maybe others.
  [[nodiscard]] Keys services_of(const kube::Object& pod) const;

 private:
  using ByLabel = std::map<std::string, Keys, std::less<>>;  // by namespace, name and value of a label

  void add_service(const kube::Object& service);
  void remove_service(const kube::Key& key);

  ByLabel pods_;
  // Under the label of the selector that had the fewest Services: a label that all of them have distinguishes none.
  ByLabel services_;
  std::map<kube::Key, std::string> labels_of_services_;
};

}  // namespace keelson::sandbox
