// Validates described structs with the API server's error texts.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <regex>
#include <set>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/schema/short_text.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/describe.hpp"
#include "src/schema/constraint_check.hpp"
#include "src/schema/field_path.hpp"

namespace keelson::kube::detail {

namespace {

using Rules = Constraints::Rules;

// Limit of the bytes of all texts that one validation matches against patterns, and the overhead of a match: more would
// block the loop. The API server matches all of them.
constexpr std::size_t kMatchedBytes = std::size_t{64} << 10;
constexpr std::size_t kMatchBytes = 32;

std::string number_text(double value) {
  json::Writer writer;
  writer.number(value);
  return std::move(writer).take();
}

const Rules& rules_of(const Constraints* constraints) {
  static const Rules kNone;
  return constraints != nullptr ? constraints->rules() : kNone;
}

class Validator {
 public:
  void check(const Type& type, const void* value, const Constraints* constraints, const FieldPath& path);
  [[nodiscard]] std::vector<FieldError> take() && { return std::move(errors_); }

 private:
  void add(FieldError error);
  void invalid_value(const FieldPath& path, const std::string& json, const std::string& detail);
  [[nodiscard]] bool is_full() const { return errors_.size() >= limits::kFieldErrors; }

  void check_fields(const Description& description, const void* value, const FieldPath& path);
  void check_optional(const Type& type, const void* value, const Constraints* constraints, const FieldPath& path);
  void check_list(const Type& type, const void* value, const Constraints* constraints, const FieldPath& path);
  void check_unique(const Type& type, const void* value, const Rules& rules, const FieldPath& path);
  void check_map(const Type& type, const void* value, const Constraints* constraints, const FieldPath& path);
  void check_number(double value, const Type& type, const void* place, const Rules& rules, const FieldPath& path);
  void check_choice(double value, const Type& type, const void* place, const Rules& rules, const FieldPath& path);
  void check_string(const std::string& value, const Rules& rules, const FieldPath& path);
  void check_count(std::size_t size, const Rules& rules, const FieldPath& path);
  void check_raw(const RawJson& value, const Rules& rules, const FieldPath& path);
  void check_embedded(json::View value, const FieldPath& path);

  [[nodiscard]] bool matches(const std::string& text, std::string_view pattern);

  std::vector<FieldError> errors_;
  std::map<std::string_view, std::regex> patterns_;
  std::size_t matched_ = 0;
};

void Validator::add(FieldError error) {
  if (!is_full()) errors_.push_back(std::move(error));
}

void Validator::invalid_value(const FieldPath& path, const std::string& json, const std::string& detail) {
  add({FieldReason::kInvalid, path.text(), json, detail});
}

// An empty string that is not required is not written, and constraints do not apply to an absent field.
bool is_absent(const Type& type, const void* value, const Rules& rules) {
  return type.shape == Type::Shape::kString && !rules.required && static_cast<const std::string*>(value)->empty();
}

void Validator::check_fields(const Description& description, const void* value, const FieldPath& path) {
  for (const Description::Field& field : description.fields()) {
    const void* member = static_cast<const char*>(value) + field.offset;
    if (is_absent(*field.type, member, field.constraints.rules())) continue;
    check(*field.type, member, &field.constraints, path.member(field.name));
  }
}

void Validator::check_optional(const Type& type, const void* value, const Constraints* constraints,
                               const FieldPath& path) {
  if (type.size(value) == 0) {
    const bool is_missed = rules_of(constraints).required && !rules_of(constraints).nullable;
    if (is_missed) add({FieldReason::kRequired, path.text()});
    return;
  }
  type.each(value, [&](std::string_view, const void* element) { check(*type.element, element, constraints, path); });
}

void Validator::check_list(const Type& type, const void* value, const Constraints* constraints, const FieldPath& path) {
  const Rules& rules = rules_of(constraints);
  const std::size_t size = type.size(value);
  // min_items does not apply to an absent list.
  if (size == 0 && !rules.required) return;
  if (rules.max_items && size > *rules.max_items) {
    add(FieldError::too_many(path.text(), size, static_cast<std::int64_t>(*rules.max_items)));
  }
  if (rules.min_items && size < *rules.min_items) {
    invalid_value(path, std::to_string(size), "should have at least " + std::to_string(*rules.min_items) + " items");
  }
  check_unique(type, value, rules, path);
  const Constraints* of_element = constraints != nullptr ? constraints->element() : nullptr;
  std::size_t index = 0;
  type.each(value, [&](std::string_view, const void* element) {
    if (!is_full()) check(*type.element, element, of_element, path.index(index));
    ++index;
  });
}

// The key members of an entry of a list_map(), as JSON.
std::string entry_key(const Type& type, const void* entry, const std::vector<std::string_view>& keys) {
  json::Writer writer;
  writer.begin_object();
  for (const Description::Field& field : type.fields()->fields()) {
    if (std::ranges::find(keys, field.name) == keys.end()) continue;
    writer.key(field.name);
    encode_value(writer, *field.type, static_cast<const char*>(entry) + field.offset);
  }
  writer.end_object();
  return std::move(writer).take();
}

void Validator::check_unique(const Type& type, const void* value, const Rules& rules, const FieldPath& path) {
  if (rules.list_type != ListType::kSet && rules.list_type != ListType::kMap) return;
  const bool by_key = rules.list_type == ListType::kMap;
  if (by_key && type.element->fields() == nullptr) {
    throw base::Misuse("describe: list_map needs a list of described structs, at " + path.text());
  }
  std::set<std::string> seen;
  std::size_t index = 0;
  type.each(value, [&](std::string_view, const void* element) {
    if (is_full()) return;
    std::string key = by_key ? entry_key(*type.element, element, rules.map_keys) : encode_text(*type.element, element);
    if (seen.contains(key)) add({FieldReason::kDuplicate, path.index(index).text(), short_text(key)});
    seen.insert(std::move(key));
    ++index;
  });
}

void Validator::check_map(const Type& type, const void* value, const Constraints* constraints, const FieldPath& path) {
  const Rules& rules = rules_of(constraints);
  const std::size_t size = type.size(value);
  // min_properties does not apply to an absent map.
  if (size > 0 || rules.required) check_count(size, rules, path);
  const Constraints* of_element = constraints != nullptr ? constraints->element() : nullptr;
  type.each(value, [&](std::string_view key, const void* element) {
    if (!is_full()) check(*type.element, element, of_element, path.key(key));
  });
}

void Validator::check_count(std::size_t size, const Rules& rules, const FieldPath& path) {
  if (rules.max_properties && size > *rules.max_properties) {
    add(FieldError::too_many(path.text(), size, static_cast<std::int64_t>(*rules.max_properties)));
  }
  if (rules.min_properties && size < *rules.min_properties) {
    invalid_value(path, std::to_string(size),
                  "should have at least " + std::to_string(*rules.min_properties) + " properties");
  }
}

// Checks the constraints of a RawJson. Only the API server checks a schema that was given as text.
void Validator::check_raw(const RawJson& value, const Rules& rules, const FieldPath& path) {
  if (value.text.empty() || !rules.schema.empty()) return;
  if (!rules.int_or_string && !rules.preserve_unknown_fields) return;
  const auto document = json::Document::parse(value.text);
  if (!document) return invalid_value(path, json::quoted(short_text(value.text)), "must be JSON");
  const auto root = document->root();
  if (root.is_null() && (rules.nullable || !rules.required)) return;
  const bool is_whole = root.is_number() && value.text.find_first_of(".eE") == std::string::npos;
  if (rules.int_or_string && !is_whole && !root.is_string()) {
    return invalid_value(path, short_text(value.text), "must be an integer or a string");
  }
  if (!rules.preserve_unknown_fields) return;
  if (!root.is_object()) return invalid_value(path, short_text(value.text), "must be an object");
  check_count(root.size(), rules, path);
  if (rules.embedded_resource) check_embedded(root, path);
}

void Validator::check_embedded(json::View value, const FieldPath& path) {
  for (const char* name : {"apiVersion", "kind"}) {
    const auto member = value.find(name);
    const auto place = path.member(name);
    if (member.is_absent()) {
      add({FieldReason::kRequired, place.text()});
    } else if (!member.is_string()) {
      invalid_value(place, short_text(member.text()), "must be a string");
    } else if (member.string()->empty()) {
      invalid_value(place, R"("")", "must not be empty");
    }
  }
}

// A list may have millions of numbers, so only rejected ones are converted to text.
void Validator::check_number(double value, const Type& type, const void* place, const Rules& rules,
                             const FieldPath& path) {
  if (rules.minimum && (value < *rules.minimum || (rules.exclusive_minimum && value == *rules.minimum))) {
    const std::string_view words =
        rules.exclusive_minimum ? "should be greater than " : "should be greater than or equal to ";
    invalid_value(path, encode_text(type, place), std::string(words) + number_text(*rules.minimum));
  }
  if (rules.maximum && (value > *rules.maximum || (rules.exclusive_maximum && value == *rules.maximum))) {
    const std::string_view words =
        rules.exclusive_maximum ? "should be less than " : "should be less than or equal to ";
    invalid_value(path, encode_text(type, place), std::string(words) + number_text(*rules.maximum));
  }
  if (rules.multiple_of || !rules.one_of_numbers.empty()) check_choice(value, type, place, rules, path);
}

// "1", "2": in quotes, even numbers, as the API server prints them.
std::string quoted_list(const auto& values, auto text_of_value) {
  std::string out;
  for (const auto& value : values) out += (out.empty() ? "" : ", ") + json::quoted(text_of_value(value));
  return out;
}

// The factor is a whole number. A double would round large integers.
bool is_multiple(double value, const Type& type, const void* place, double factor) {
  if (type.shape != Type::Shape::kInt64) return std::fmod(value, factor) == 0;
  return *static_cast<const std::int64_t*>(place) % static_cast<std::int64_t>(factor) == 0;
}

void Validator::check_choice(double value, const Type& type, const void* place, const Rules& rules,
                             const FieldPath& path) {
  if (rules.multiple_of && !is_multiple(value, type, place, *rules.multiple_of)) {
    invalid_value(path, encode_text(type, place), "should be a multiple of " + number_text(*rules.multiple_of));
  }
  const auto& choices = rules.one_of_numbers;
  const auto is_value = [value](std::int64_t choice) { return static_cast<double>(choice) == value; };
  if (choices.empty() || std::ranges::any_of(choices, is_value)) return;
  const auto text_of_choice = [](std::int64_t choice) { return std::to_string(choice); };
  add({FieldReason::kNotSupported, path.text(), encode_text(type, place), quoted_list(choices, text_of_choice)});
}

std::string quoted(const std::string& value) { return json::quoted(short_text(value)); }

std::size_t character_count(std::string_view text) {
  const auto begins_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
  return static_cast<std::size_t>(std::ranges::count_if(text, begins_character));
}

// Each pattern is compiled once per validation.
bool Validator::matches(const std::string& text, std::string_view pattern) {
  matched_ += text.size() + kMatchBytes;
  if (matched_ > kMatchedBytes) return true;
  auto found = patterns_.find(pattern);
  if (found == patterns_.end()) found = patterns_.emplace(pattern, compiled(pattern)).first;
  return std::regex_search(text, found->second);
}

void Validator::check_string(const std::string& value, const Rules& rules, const FieldPath& path) {
  const std::size_t length = character_count(value);
  if (rules.max_length && length > *rules.max_length) {
    add(FieldError::too_long(path.text(), static_cast<std::int64_t>(*rules.max_length)));
  }
  if (rules.min_length && length < *rules.min_length) {
    invalid_value(path, quoted(value), "should be at least " + std::to_string(*rules.min_length) + " chars long");
  }
  if (!rules.pattern.empty() && !matches(value, rules.pattern)) {
    invalid_value(path, quoted(value), "should match '" + std::string(rules.pattern) + "'");
  }
  const auto& choices = rules.one_of;
  if (!choices.empty() && std::ranges::find(choices, value) == choices.end()) {
    add({FieldReason::kNotSupported, path.text(), quoted(value), quoted_list(choices, std::identity{})});
  }
}

void Validator::check(const Type& type, const void* value, const Constraints* constraints, const FieldPath& path) {
  const Rules& rules = rules_of(constraints);
  switch (type.shape) {
    case Type::Shape::kInt32:
      check_number(*static_cast<const std::int32_t*>(value), type, value, rules, path);
      break;
    case Type::Shape::kInt64:
      check_number(static_cast<double>(*static_cast<const std::int64_t*>(value)), type, value, rules, path);
      break;
    case Type::Shape::kNumber:
      check_number(*static_cast<const double*>(value), type, value, rules, path);
      break;
    case Type::Shape::kString:
      check_string(*static_cast<const std::string*>(value), rules, path);
      break;
    case Type::Shape::kOptional:
      check_optional(type, value, constraints, path);
      break;
    case Type::Shape::kList:
      check_list(type, value, constraints, path);
      break;
    case Type::Shape::kMap:
      check_map(type, value, constraints, path);
      break;
    case Type::Shape::kStruct:
      check_fields(*type.fields(), value, path);
      break;
    case Type::Shape::kRaw:
      check_raw(*static_cast<const RawJson*>(value), rules, path);
      break;
    case Type::Shape::kBool:
    case Type::Shape::kTime:
    case Type::Shape::kCustom:
      break;
  }
}

}  // namespace

// __polynomial: libstdc++'s default matcher recurses once per character and overflows the stack on a long text. The
// other one simulates a set of states, in linear time as RE2.
std::regex compiled(std::string_view pattern) {
  constexpr auto kFlags = std::regex_constants::ECMAScript | std::regex_constants::__polynomial;
  try {
    return {pattern.begin(), pattern.end(), kFlags};
  } catch (const std::regex_error& error) {
    throw base::Misuse("describe: the pattern " + std::string(pattern) +
                       " is not a regular expression that both ECMAScript and RE2 accept: " + error.what());
  }
}

std::vector<FieldError> validate_field(const Type& type, const Constraints* constraints, const void* value,
                                       std::string_view path) {
  Validator validator;
  validator.check(type, value, constraints, FieldPath(path));
  return std::move(validator).take();
}

std::vector<FieldError> validate_value(const Type& type, const void* value, std::string_view path) {
  return validate_field(type, nullptr, value, path);
}

}  // namespace keelson::kube::detail
