#include "keelson/detail/cel/type.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;

constexpr std::size_t kMostTypeNodes = 200;

// A type may contain another one twice, so that its nodes could double with each step of an expression.
TypePointer limited_type(Type type) {
  type.nodes += (type.key ? type.key->nodes : 0) + (type.element ? type.element->nodes : 0);
  return type.nodes > kMostTypeNodes ? dyn_type() : std::make_shared<const Type>(std::move(type));
}

}  // namespace

std::string Type::text() const {
  auto inner = [](const TypePointer& type) { return type ? type->text() : std::string("dyn"); };
  if (is_dyn()) return "dyn";
  if (is_object) return name;
  switch (kind) {
    case Kind::kNull:
      return "null";
    case Kind::kList:
      return "list(" + inner(element) + ")";
    case Kind::kMap:
      return "map(" + inner(key) + ", " + inner(element) + ")";
    case Kind::kOptional:
      return "optional_type(" + inner(element) + ")";
    case Kind::kDuration:
      return "duration";
    case Kind::kTimestamp:
      return "timestamp";
    default:
      return Value::name_of(kind);
  }
}

TypePointer dyn_type() {
  static const TypePointer type = std::make_shared<const Type>();
  return type;
}

TypePointer type_of(Kind kind) { return std::make_shared<const Type>(Type{.kind = kind}); }

TypePointer list_type(TypePointer element) {
  return limited_type({.kind = Kind::kList, .element = std::move(element)});
}

TypePointer map_type(TypePointer key, TypePointer element) {
  return limited_type({.kind = Kind::kMap, .key = std::move(key), .element = std::move(element)});
}

TypePointer optional_type(TypePointer element) {
  return limited_type({.kind = Kind::kOptional, .element = std::move(element)});
}

}  // namespace keelson::cel
