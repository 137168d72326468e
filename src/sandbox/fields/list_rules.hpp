// The lists and maps of a kind that are merged by entry, and their keys: x-kubernetes-list-type in its schema.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/storage/tree.hpp"

namespace keelson::sandbox {

struct ListKey {
  std::string field;
  Tree default_value;  // null: the field is required
};

struct MergeRule {
  enum class How {
    kGranular,  // a map that is merged by member (the default for maps)
    kAtomic,    // merged as a whole (the default for lists)
    kSet,       // a list of scalars that is merged by entry
    kByKey,     // a list of objects that is merged by entry
  };
  How how = How::kGranular;
  std::vector<ListKey> keys;
};

// Paths are member names joined by dots, without the indexes of lists: "spec.containers.ports".
class ListRules {
 public:
  // The rules of Kubernetes' kinds: those for every object, and those for pods, which also apply to pod templates.
  [[nodiscard]] static ListRules built_in();
  // The rules of a custom kind, from the OpenAPI schemas of its spec and status.
  [[nodiscard]] static ListRules from_schema(const Tree& object_schema);

  [[nodiscard]] const MergeRule& rule(const std::string& path, const Tree& value) const;

 private:
  void read_schema(const std::string& path, const Tree& schema);

  std::map<std::string, MergeRule> rules_;
  bool knows_pods_ = false;
};

// The path of a member of the value at `path`.
[[nodiscard]] std::string joined(const std::string& path, const std::string& name);

}  // namespace keelson::sandbox
