#include "keelson/schema/describe.hpp"

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/schema/struct_table.hpp"

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
  rule(CelRule{std::string(expression), std::string(message)});
}

// The rule and message are controller-gen's.
void Description::add_count(std::initializer_list<FieldName> fields, std::string_view comparison,
                            std::string_view how_many, std::string_view verb) {
  std::vector<std::string> names;
  std::vector<std::string> tests;
  for (const std::string_view field : fields) {
    counted_.push_back(field);
    names.emplace_back(field);
    tests.push_back("has(self." + std::string(field) + ")");
  }
  rule("[" + base::join(tests, ",") + "].filter(x,x==true).size() " + std::string(comparison),
       std::string(how_many) + " one of the fields in [" + base::join(names, " ") + "] " + std::string(verb) +
           " be set");
}

void Description::at_most_one_of(std::initializer_list<FieldName> fields) {
  add_count(fields, "<= 1", "at most", "may");
}

void Description::exactly_one_of(std::initializer_list<FieldName> fields) {
  add_count(fields, "== 1", "exactly", "must");
}

void Description::at_least_one_of(std::initializer_list<FieldName> fields) {
  add_count(fields, ">= 1", "at least", "must");
}

}  // namespace keelson::kube
