// Which lists and maps of a kind are merged entry by entry, and by what key: the x-kubernetes-list-type of its schema.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/sandbox/tree.hpp"

namespace keelson::sandbox {

struct ListKey {
  std::string field;
  Tree default_value;  // null: the field is required
};

struct MergeRule {
  enum class How {
    kGranular,  // a map: member by member (what no rule names)
    kAtomic,    // as a whole (a list that no rule names)
    kSet,       // a list of scalars, entry by entry
    kByKey,     // a list of objects, entry by entry
  };
  How how = How::kGranular;
  std::vector<ListKey> keys;
};

// Paths are member names joined by dots, entries of lists looked through: "spec.containers.ports".
class ListRules {
 public:
  // Of the kinds of Kubernetes: what any object has, and pods, also where they are templates.
  [[nodiscard]] static ListRules built_in();
  // Of a custom kind, from the OpenAPI schemas of its spec and status.
  [[nodiscard]] static ListRules from_schema(const Tree& object_schema);

  [[nodiscard]] const MergeRule& rule(const std::string& path, const Tree& value) const;

 private:
  void read_schema(const std::string& path, const Tree& schema);

  std::map<std::string, MergeRule> rules_;
  bool knows_pods_ = false;
};

// The path of a member of what is at `path`.
[[nodiscard]] std::string joined(const std::string& path, const std::string& name);

}  // namespace keelson::sandbox
