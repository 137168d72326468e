#include "keelson/kube/describe.hpp"

#include "keelson/base/misuse.hpp"

namespace keelson::kube {

Constraints& Constraints::items() {
  if (!element_) element_ = std::make_unique<Constraints>();
  return *element_;
}

Constraints& Description::add(Field field) {
  for (const Field& other : fields_) {
    if (other.name == field.name) {
      throw base::Misuse("describe: the field \"" + std::string(field.name) + "\" is described twice");
    }
  }
  fields_.push_back(std::move(field));
  return fields_.back().constraints;
}

void Description::rule(std::string_view expression, std::string_view message) {
  rules_.push_back({std::string(expression), std::string(message)});
}

}  // namespace keelson::kube
