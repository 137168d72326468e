// The objects that a list or watch selects: by namespace, label selector and field selector.
#pragma once

#include <string>
#include <vector>

#include "keelson/kube/selector.hpp"
#include "src/sandbox/requests/call.hpp"

namespace keelson::sandbox {

class Selection {
 public:
  // 400 if a selector cannot be parsed or a field is not selectable.
  [[nodiscard]] static RejectionOr<Selection> of(const Call& call);

  [[nodiscard]] bool matches(const kube::Object& object) const;
  // Whether matches() parses the JSON of objects: for all fields except metadata.name and metadata.namespace.
  [[nodiscard]] bool reads_objects() const;
  // Empty for all namespaces.
  [[nodiscard]] const std::string& ns() const { return ns_; }

 private:
  struct Field {
    std::vector<std::string> path;
    std::vector<std::string> other_path = {};  // read if there is nothing at `path`
    bool is_equal = true;
    std::string value;
    std::string missing;  // the value that is compared if an object lacks the field
  };
  [[nodiscard]] static bool is_in_metadata(const Field& field);
  [[nodiscard]] static bool matches(const Field& field, const std::string& value);

  std::string ns_;
  kube::Selector labels_;
  std::vector<Field> fields_;
};

}  // namespace keelson::sandbox
