#include "src/cel/overloads.hpp"

#include <algorithm>

#include "src/cel/functions.hpp"

namespace keelson::cel {

namespace {

using Kind = Value::Kind;

bool is_number_type(const Type& type) {
  return type.kind == Kind::kInt || type.kind == Kind::kUint || type.kind == Kind::kDouble;
}

bool is_one_of(const Type& type, std::initializer_list<Kind> kinds) {
  return std::ranges::find(kinds, type.kind) != kinds.end();
}

TypePointer arithmetic(const std::string& name, const TypePointer& one, const TypePointer& other) {
  if (one->is_dyn()) return other->kind == Kind::kTimestamp || other->kind == Kind::kDuration ? dyn_type() : other;
  if (other->is_dyn()) return one->kind == Kind::kTimestamp || one->kind == Kind::kDuration ? dyn_type() : one;
  bool is_sum = name == "_+_";
  bool is_difference = name == "_-_";
  if (is_sum && one->kind == Kind::kDuration && other->kind == Kind::kTimestamp) return other;
  if ((is_sum || is_difference) && one->kind == Kind::kTimestamp && other->kind == Kind::kDuration) return one;
  if (is_difference && one->kind == Kind::kTimestamp && other->kind == Kind::kTimestamp) {
    return type_of(Kind::kDuration);
  }
  if (one->kind != other->kind) return nullptr;
  if (is_number_type(*one)) return name == "_%_" && one->kind == Kind::kDouble ? nullptr : one;
  if ((is_sum || is_difference) && one->kind == Kind::kDuration) return one;
  if (is_sum && is_one_of(*one, {Kind::kString, Kind::kBytes})) return one;
  if (is_sum && one->kind == Kind::kList) return are_assignable(*one, *other) ? one : nullptr;
  return nullptr;
}

TypePointer ordering(const Type& one, const Type& other) {
  bool is_ordered = is_one_of(one, {Kind::kBool, Kind::kInt, Kind::kUint, Kind::kDouble, Kind::kString, Kind::kBytes,
                                    Kind::kTimestamp, Kind::kDuration});
  bool fits = one.is_dyn() || other.is_dyn() || (is_ordered && one.kind == other.kind) ||
              (is_number_type(one) && is_number_type(other));
  return fits ? type_of(Kind::kBool) : nullptr;
}

TypePointer membership(const Type& needle, const Type& container) {
  bool fits = container.is_dyn();
  if (container.kind == Kind::kList) fits = !container.element || are_assignable(needle, *container.element);
  if (container.kind == Kind::kMap && !container.is_object)
    fits = !container.key || are_assignable(needle, *container.key);
  return fits ? type_of(Kind::kBool) : nullptr;
}

TypePointer indexed(const Type& container, const Type& index) {
  if (container.is_dyn()) return dyn_type();
  bool fits = (container.kind == Kind::kList && (index.is_dyn() || index.kind == Kind::kInt)) ||
              (container.kind == Kind::kMap && !container.is_object &&
               (!container.key || are_assignable(index, *container.key)));
  if (container.kind == Kind::kOptional && container.element) {
    auto inner = indexed(*container.element, index);
    return inner ? optional_type(inner) : nullptr;
  }
  if (!fits) return nullptr;
  return container.element ? container.element : dyn_type();
}

TypePointer operation(const std::string& name, const std::vector<TypePointer>& a) {
  if (name == "!_") return a[0]->is_dyn() || a[0]->kind == Kind::kBool ? type_of(Kind::kBool) : nullptr;
  if (name == "-_") return a[0]->is_dyn() || is_one_of(*a[0], {Kind::kInt, Kind::kDouble}) ? a[0] : nullptr;
  if (name == "_==_" || name == "_!=_") return are_assignable(*a[0], *a[1]) ? type_of(Kind::kBool) : nullptr;
  if (name == "@in") return membership(*a[0], *a[1]);
  if (name == "_[_]") return indexed(*a[0], *a[1]);
  if (name[1] == '<' || name[1] == '>') return ordering(*a[0], *a[1]);
  return arithmetic(name, a[0], a[1]);
}

bool type_fits_letter(const Type& type, char letter) {
  static constexpr std::pair<char, Kind> kLetters[] = {
      {'s', Kind::kString},    {'i', Kind::kInt},      {'u', Kind::kUint},     {'d', Kind::kDouble},
      {'b', Kind::kBool},      {'y', Kind::kBytes},    {'l', Kind::kList},     {'m', Kind::kMap},
      {'t', Kind::kTimestamp}, {'D', Kind::kDuration}, {'o', Kind::kOptional}, {'q', Kind::kQuantity}};
  if (letter == '*' || type.is_dyn()) return true;
  if (letter == 'm' && type.is_object) return false;
  return std::any_of(std::begin(kLetters), std::end(kLetters),
                     [&](const auto& row) { return row.first == letter && row.second == type.kind; });
}

TypePointer result_type(const Signature& signature, const std::vector<TypePointer>& a) {
  switch (signature.result[0]) {
    case 's':
      return type_of(Kind::kString);
    case 'i':
      return type_of(Kind::kInt);
    case 'u':
      return type_of(Kind::kUint);
    case 'd':
      return type_of(Kind::kDouble);
    case 'b':
      return type_of(Kind::kBool);
    case 'y':
      return type_of(Kind::kBytes);
    case 't':
      return type_of(Kind::kTimestamp);
    case 'D':
      return type_of(Kind::kDuration);
    case 'q':
      return type_of(Kind::kQuantity);
    case 'T':
      return type_of(Kind::kType);
    case 'L':
      return list_type(type_of(Kind::kString));
    case 'o':
      return optional_type(a.empty() ? dyn_type() : a[0]);
    case 'E':
      return a[0]->element ? a[0]->element : dyn_type();
    case '=':
      return a[0];
    default:
      return dyn_type();
  }
}

}  // namespace

bool are_assignable(const Type& one, const Type& other) {
  if (one.is_dyn() || other.is_dyn()) return true;
  if (one.kind == Kind::kNull || other.kind == Kind::kNull) {
    const auto& value = one.kind == Kind::kNull ? other : one;
    return value.is_object || is_one_of(value, {Kind::kNull, Kind::kDuration, Kind::kTimestamp, Kind::kOptional});
  }
  if (one.kind != other.kind) return false;
  if (one.is_object || other.is_object) return one.is_object == other.is_object;
  auto fits = [](const TypePointer& a, const TypePointer& b) { return !a || !b || are_assignable(*a, *b); };
  return fits(one.key, other.key) && fits(one.element, other.element);
}

TypePointer result_of_call(const std::string& name, bool has_target, const std::vector<TypePointer>& arguments,
                           bool& is_known) {
  bool is_operator = name[0] == '_' || name[0] == '@' || name[0] == '!' || name[0] == '-';
  if (is_operator) {
    is_known = true;
    return operation(name, arguments);
  }
  const auto& signatures = signatures_of(name);
  is_known = !signatures.empty();
  TypePointer result;
  for (const auto* signature : signatures) {
    const std::string_view wanted = signature->arguments;
    bool fits = signature->has_target == has_target && wanted.size() == arguments.size() &&
                std::equal(wanted.begin(), wanted.end(), arguments.begin(),
                           [](char letter, const TypePointer& type) { return type_fits_letter(*type, letter); });
    if (!fits) continue;
    auto found = result_type(*signature, arguments);
    result = !result || result->kind == found->kind ? found : dyn_type();
  }
  return result;
}

}  // namespace keelson::cel
