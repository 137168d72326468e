#include "keelson/kube/describe.hpp"

#include "keelson/base/misuse.hpp"
#include "keelson/kube/struct_table.hpp"

namespace keelson::kube {

Constraints& Constraints::items() {
  if (!element_) element_ = std::make_unique<Constraints>();
  return *element_;
}

const Description* Type::fields() const {
  if (shape != Shape::kStruct) return nullptr;
  return has_table ? &table->description() : &describe();
}

Description::Description(const StructTable& table) : object_(nullptr) {
  for (const auto& field : table.fields()) {
    auto& constraints = add({field.name(), {}, field.offset, field.type, {}});
    if (field.presence == StructTable::Presence::kRequired) constraints.required();
    constraints.omit_zero();
  }
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
