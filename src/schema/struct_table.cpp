#include "keelson/detail/schema/struct_table.hpp"

#include <deque>

#include "keelson/schema/describe.hpp"

namespace keelson::kube {

const Description& StructTable::description() const {
  if (description_ == nullptr) {
    static std::deque<Description> descriptions;
    description_ = &descriptions.emplace_back(*this);
  }
  return *description_;
}

namespace detail {

namespace {

void* member_of(void* self, const StructTable::Field& field) { return static_cast<char*>(self) + field.offset; }
const void* member_of(const void* self, const StructTable::Field& field) {
  return static_cast<const char*>(self) + field.offset;
}

// The constructor, copy constructor and destructor of all structs with tables: they call those of each member. The
// structs are aggregates, the table has all of their members, and the initial value of a member is zero or empty.
void destroy_struct(const Type& type, void* self) {
  for (const auto& field : type.table->fields()) field.type->value->destroy(*field.type, member_of(self, field));
}

void construct_struct(const Type& type, void* place) {
  for (const auto& field : type.table->fields()) field.type->value->construct(*field.type, member_of(place, field));
}

void copy_struct(const Type& type, void* place, const void* from) {
  for (const auto& field : type.table->fields()) {
    field.type->value->copy(*field.type, member_of(place, field), member_of(from, field));
  }
}

// A Box is one pointer to its struct, or null.
void*& boxed(void* self) { return *static_cast<void**>(self); }
const void* boxed(const void* self) { return *static_cast<void* const*>(self); }

void clear_box(const Type& type, void* self) {
  if (boxed(self) != nullptr) delete_value(*type.element, std::exchange(boxed(self), nullptr));
}

void copy_box(const Type& type, void* place, const void* from) {
  new (place) void*(boxed(from) == nullptr ? nullptr : copy_value(*type.element, boxed(from)));
}

void* add_to_box(const Type& type, void* self, std::string_view) {
  clear_box(type, self);
  return boxed(self) = make_value(*type.element);
}

void visit_box(const void* self, const Type::Visit& visit) {
  if (boxed(self) != nullptr) visit({}, boxed(self));
}

// A ListOf is a vector of pointers to its structs.
Values& values_of(void* self) { return *static_cast<Values*>(self); }
const Values& values_of(const void* self) { return *static_cast<const Values*>(self); }

void destroy_list(const Type& type, void* self) {
  delete_values(*type.element, values_of(self));
  values_of(self).~Values();
}

void copy_list(const Type& type, void* place, const void* from) {
  copy_values(*type.element, *new (place) Values, values_of(from));
}

void* add_to_list(const Type& type, void* self, std::string_view) {
  return values_of(self).emplace_back(make_value(*type.element));
}

void visit_list(const void* self, const Type::Visit& visit) {
  for (const void* value : values_of(self)) visit({}, value);
}

}  // namespace

const Type::ValueOperations kTableValue{destroy_struct, construct_struct, copy_struct};
const Type::ValueOperations kBoxValue{clear_box, [](const Type&, void* place) { new (place) void*(nullptr); },
                                      copy_box};
const Type::ContainerOperations kBoxContainer{
    [](const void* self) -> std::size_t { return boxed(self) == nullptr ? 0 : 1; }, clear_box, add_to_box, visit_box};
const Type::ValueOperations kListValue{destroy_list, [](const Type&, void* place) { new (place) Values; }, copy_list};
const Type::ContainerOperations kListContainer{
    [](const void* self) { return values_of(self).size(); },
    [](const Type& type, void* self) { delete_values(*type.element, values_of(self)); }, add_to_list, visit_list};

void* make_value(const Type& type) {
  void* place = ::operator new(type.bytes);
  type.value->construct(type, place);
  return place;
}

void* copy_value(const Type& type, const void* from) {
  void* place = ::operator new(type.bytes);
  type.value->copy(type, place, from);
  return place;
}

void delete_value(const Type& type, void* self) {
  type.value->destroy(type, self);
  ::operator delete(self);
}

void copy_values(const Type& type, Values& to, const Values& from) {
  to.reserve(from.size());
  for (const void* value : from) to.push_back(copy_value(type, value));
}

void delete_values(const Type& type, Values& values) {
  for (void* value : values) delete_value(type, value);
  values.clear();
}

}  // namespace detail

}  // namespace keelson::kube
