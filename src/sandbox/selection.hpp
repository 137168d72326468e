// Which objects a list or watch is about: namespace, label selector, field selector.
#pragma once

#include <string>
#include <vector>

#include "keelson/kube/selector.hpp"
#include "src/sandbox/call.hpp"

namespace keelson::sandbox {

class Selection {
 public:
  // 400 for selectors that cannot be read, and for fields that cannot be selected by.
  [[nodiscard]] static Or<Selection> of(const Call& call);

  [[nodiscard]] bool matches(const kube::Object& object) const;
  // It selects by fields, for which it parses the JSON of objects.
  [[nodiscard]] bool reads_objects() const;
  // Empty: all namespaces.
  [[nodiscard]] const std::string& ns() const { return ns_; }

 private:
  struct Field {
    std::vector<std::string> path;
    std::vector<std::string> other_path = {};  // where it is if there is nothing at `path`
    bool is_equal = true;
    std::string value;
    std::string missing;  // what an object has that does not have the field
  };
  [[nodiscard]] static bool is_in_metadata(const Field& field);
  [[nodiscard]] static bool matches(const Field& field, const std::string& value);

  std::string ns_;
  kube::Selector labels_;
  std::vector<Field> fields_;
};

}  // namespace keelson::sandbox
