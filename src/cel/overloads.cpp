#include "src/cel/overloads.hpp"

#include <algorithm>
#include <array>

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

bool is_nullable(const Type& type) {
  return type.is_object ||
         is_one_of(type, {Kind::kNull, Kind::kDuration, Kind::kTimestamp, Kind::kOptional, Kind::kQuantity, Kind::kUrl,
                          Kind::kIp, Kind::kCidr, Kind::kVersion, Kind::kFormat});
}

// c and n: the types that have an order, and those that have a sum.
bool fits_class(char letter, const Type& type) {
  if (type.is_dyn() || is_number_type(type) || type.kind == Kind::kDuration) return true;
  return letter == 'c' && is_one_of(type, {Kind::kBool, Kind::kString, Kind::kBytes, Kind::kTimestamp});
}

const TypePointer& or_dyn(const TypePointer& type) {
  static const auto dyn = dyn_type();
  return type ? type : dyn;
}

// Compares types with the letters of a signature, and binds its parameters.
class SignatureTypes {
 public:
  // Consumes the letters of one type.
  bool matches(std::string_view& letters, const TypePointer& type) {
    const char letter = letters.front();
    letters.remove_prefix(1);
    switch (letter) {
      case '*':
        return true;
      case 'A':
      case 'B':
        return binds(static_cast<std::size_t>(letter - 'A'), type);
      case 'c':
      case 'n':
        return fits_class(letter, *type) && binds(0, type);
      case '#':
        return type->is_dyn() || is_number_type(*type);
      case 'l':
      case 'm':
      case 'o':
        return matches_parts(letter, letters, type);
      default:
        return type->is_dyn() || kind_of_letter(letter) == type->kind ||
               (type->kind == Kind::kNull && is_nullable({.kind = *kind_of_letter(letter)}));
    }
  }

  TypePointer made(std::string_view& letters) const {
    const char letter = letters.front();
    letters.remove_prefix(1);
    switch (letter) {
      case '*':
        return dyn_type();
      case 'A':
      case 'B':
      case 'c':
      case 'n':
        return or_dyn(bound_[letter == 'B' ? 1 : 0]);
      case 'l':
        return list_type(made(letters));
      case 'o':
        return optional_type(made(letters));
      case 'm': {
        auto key = made(letters);
        return map_type(std::move(key), made(letters));
      }
      default:
        return type_of(*kind_of_letter(letter));
    }
  }

 private:
  bool matches_parts(char letter, std::string_view& letters, const TypePointer& type) {
    const bool fits = type->is_dyn() || (kind_of_letter(letter) == type->kind && !type->is_object) ||
                      (letter == 'o' && type->kind == Kind::kNull);
    if (!fits) return false;
    if (letter == 'm' && !matches(letters, or_dyn(type->key))) return false;
    return matches(letters, or_dyn(type->element));
  }

  bool binds(std::size_t parameter, const TypePointer& type) {
    auto& bound = bound_[parameter];
    if (bound && !are_assignable(*bound, *type)) return false;
    // The more general of both types.
    if (!bound || type->is_dyn() || bound->kind == Kind::kNull) bound = type;
    return true;
  }

  std::array<TypePointer, 2> bound_;
};

bool matches_all(SignatureTypes& types, const Signature& signature, const std::vector<TypePointer>& arguments) {
  std::string_view letters = signature.arguments;
  for (const auto& argument : arguments) {
    if (letters.empty() || !types.matches(letters, argument)) return false;
  }
  return letters.empty();
}

}  // namespace

bool are_assignable(const Type& one, const Type& other) {
  if (one.is_dyn() || other.is_dyn()) return true;
  if (one.kind == Kind::kNull || other.kind == Kind::kNull) {
    return is_nullable(one.kind == Kind::kNull ? other : one);
  }
  if (one.kind != other.kind) return false;
  if (one.is_object || other.is_object) return one.is_object == other.is_object;
  auto fits = [](const TypePointer& a, const TypePointer& b) { return !a || !b || are_assignable(*a, *b); };
  return fits(one.key, other.key) && fits(one.element, other.element);
}

TypePointer resolve_call(Expression& node, const std::vector<TypePointer>& arguments) {
  TypePointer result;
  for (const auto* signature : signatures_of(node.name)) {
    if (signature->has_target != node.has_target) continue;
    SignatureTypes types;
    if (!matches_all(types, *signature, arguments)) continue;
    node.overloads.push_back(signature);
    std::string_view letters = signature->result;
    auto found = types.made(letters);
    const bool is_same = result && (result->kind == found->kind && result->text() == found->text());
    result = !result || is_same ? std::move(found) : dyn_type();
  }
  return result;
}

}  // namespace keelson::cel
