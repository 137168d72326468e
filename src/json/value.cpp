#include "keelson/json/value.hpp"

#include <algorithm>
#include <cmath>

#include "keelson/detail/json/member_index.hpp"
#include "keelson/json/writer.hpp"
#include "src/json/number.hpp"
#include "src/json/rapid.hpp"

namespace keelson::json {
namespace {

using RawValue = rapidjson::Value;
using NodeMember = rapidjson::Value::Member;

const RawValue& as_node(const void* node) { return *static_cast<const RawValue*>(node); }

std::string_view string_in(const RawValue& node) { return {node.GetString(), node.GetStringLength()}; }

bool equal_numbers(const RawValue& left, const RawValue& right);
bool equal_objects(View left, View right);
bool equal_arrays(View left, View right);
void write_number(const RawValue& node, Writer& writer);

}  // namespace

bool View::is_null() const { return node_ != nullptr && as_node(node_).IsNull(); }
bool View::is_bool() const { return node_ != nullptr && as_node(node_).IsBool(); }
bool View::is_object() const { return node_ != nullptr && as_node(node_).IsObject(); }
bool View::is_array() const { return node_ != nullptr && as_node(node_).IsArray(); }
bool View::is_string() const { return node_ != nullptr && as_node(node_).IsString(); }
bool View::is_number() const { return node_ != nullptr && as_node(node_).IsNumber(); }

View View::find(std::string_view name) const {
  if (!is_object()) return {};
  const RawValue& object = as_node(node_);
  for (auto member = object.MemberEnd(); member != object.MemberBegin();) {
    --member;
    if (string_in(member->name) == name) return View(&member->value);
  }
  return {};
}

View View::at(std::initializer_list<std::string_view> path) const {
  View view = *this;
  for (const std::string_view name : path) view = view.find(name);
  return view;
}

View View::item(std::size_t index) const {
  if (!is_array() || index >= size()) return {};
  return View(&as_node(node_)[static_cast<rapidjson::SizeType>(index)]);
}

std::size_t View::size() const {
  if (is_array()) return as_node(node_).Size();
  if (is_object()) return as_node(node_).MemberCount();
  return 0;
}

std::optional<std::string_view> View::string() const {
  if (!is_string()) return std::nullopt;
  return string_in(as_node(node_));
}

std::optional<std::int64_t> View::integer() const {
  if (!is_number()) return std::nullopt;
  const RawValue& node = as_node(node_);
  if (node.IsInt64()) return node.GetInt64();
  return node.IsDouble() ? whole_number(node.GetDouble()) : std::nullopt;
}

std::optional<double> View::number() const {
  if (!is_number()) return std::nullopt;
  return as_node(node_).GetDouble();
}

std::optional<bool> View::boolean() const {
  if (!is_bool()) return std::nullopt;
  return as_node(node_).GetBool();
}

Members View::members() const {
  if (!is_object() || size() == 0) return {};
  const NodeMember* const first = &*as_node(node_).MemberBegin();
  return {first, first + size()};
}

Items View::items() const {
  if (!is_array() || size() == 0) return {};
  const RawValue* const first = as_node(node_).Begin();
  return {first, first + size()};
}

Member Members::Iterator::operator*() const {
  const auto& member = *static_cast<const NodeMember*>(position_);
  return {string_in(member.name), View(&member.value)};
}

Members::Iterator& Members::Iterator::operator++() {
  position_ = static_cast<const NodeMember*>(position_) + 1;
  return *this;
}

View Items::Iterator::operator*() const { return View(position_); }

Items::Iterator& Items::Iterator::operator++() {
  position_ = static_cast<const RawValue*>(position_) + 1;
  return *this;
}

void View::write(Writer& writer) const {
  if (is_object()) {
    writer.begin_object();
    for (const auto& [name, value] : members()) value.write(writer.key(name));
    writer.end_object();
  } else if (is_array()) {
    writer.begin_array();
    for (const View value : items()) value.write(writer);
    writer.end_array();
  } else if (is_string()) {
    writer.string(*string());
  } else if (is_bool()) {
    writer.boolean(*boolean());
  } else if (is_number()) {
    write_number(as_node(node_), writer);
  } else {
    writer.null();
  }
}

std::string View::text() const {
  Writer writer;
  write(writer);
  return std::move(writer).take();
}

bool equal(View left, View right) {
  if (left.is_absent() || right.is_absent()) return left.is_absent() && right.is_absent();
  if (left.is_number() && right.is_number()) {
    return equal_numbers(as_node(left.node_), as_node(right.node_));
  }
  if (left.is_string() && right.is_string()) return left.string() == right.string();
  if (left.is_bool() && right.is_bool()) return left.boolean() == right.boolean();
  if (left.is_object() && right.is_object()) return equal_objects(left, right);
  if (left.is_array() && right.is_array()) return equal_arrays(left, right);
  return left.is_null() && right.is_null();
}

namespace {

// Integers are compared exactly. An integer and a double are equal only if the double is exactly this integer.
bool equal_numbers(const RawValue& left, const RawValue& right) {
  if (left.IsUint64() && right.IsUint64()) return left.GetUint64() == right.GetUint64();
  if (left.IsInt64() && right.IsInt64()) return left.GetInt64() == right.GetInt64();
  if (left.IsDouble() && right.IsDouble()) return left.GetDouble() == right.GetDouble();
  if (left.IsDouble() == right.IsDouble()) return false;  // a negative and one beyond int64
  const RawValue& integer = left.IsDouble() ? right : left;
  const double real = left.IsDouble() ? left.GetDouble() : right.GetDouble();
  if (std::trunc(real) != real) return false;
  if (integer.IsInt64()) return whole_number(real) == integer.GetInt64();
  if (integer.IsUint64() && real >= 0 && real < 0x1p64) return static_cast<std::uint64_t>(real) == integer.GetUint64();
  return false;
}

bool equal_objects(View left, View right) {
  const auto ours = unique_members(left);
  const auto theirs = unique_members(right);
  return std::ranges::equal(
      ours, theirs, [](const Member& a, const Member& b) { return a.name == b.name && equal(a.value, b.value); });
}

bool equal_arrays(View left, View right) {
  const Items ours = left.items();
  const Items theirs = right.items();
  return std::ranges::equal(ours, theirs, equal);
}

// A number with a fraction or an exponent stays a float: 1.0 is written as 1.0.
void write_number(const RawValue& node, Writer& writer) {
  if (node.IsInt64()) {
    writer.integer(node.GetInt64());
  } else if (node.IsUint64()) {
    writer.unsigned_integer(node.GetUint64());
  } else {
    writer.real(node.GetDouble());
  }
}

}  // namespace
}  // namespace keelson::json
