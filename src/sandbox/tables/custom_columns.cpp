#include "src/sandbox/tables/custom_columns.hpp"

#include <charconv>

#include "keelson/schema/time.hpp"
#include "src/sandbox/tables/json_path.hpp"

namespace keelson::sandbox {

namespace {

// In a column of integers, a number loses its fraction.
Tree whole(const Tree& number) {
  auto text = number.scalar();
  std::int64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() ? Tree(value) : Tree();
}

Tree age_of(const Tree& time, WallTime now) {
  return {kube::parse_time(time.scalar()) ? since(&time, now) : "<invalid>"};
}

// As cellForJSONValue in apiextensions-apiserver: a value of another type gives an empty cell.
Tree cell_of(const std::string& type, const Tree& value, WallTime now) {
  if (value.is_null()) return {};
  if (type == "string") return {value.is_array() || value.is_object() ? value.text() : value.scalar()};
  if (type == "date") return value.is_string() ? age_of(value, now) : Tree();
  if (type == "boolean") return value.type() == Tree::Type::kBool ? value : Tree();
  if (value.type() != Tree::Type::kNumber) return {};
  return type == "integer" ? whole(value) : value;
}

Column column_of(const Tree& definition) {
  auto path = definition.text_at({"jsonPath"});
  auto type = definition.text_at({"type"});
  auto cell = [path, type](const Tree& object, WallTime now) {
    auto found = find_path(object, path);
    return found.empty() ? Tree() : cell_of(type, *found[0], now);
  };
  Column column{definition.text_at({"name"}), cell, type, static_cast<int>(definition.integer_at({"priority"}))};
  column.format = definition.text_at({"format"});
  column.description = definition.text_at({"description"});
  if (column.description.empty()) {
    column.description = "Custom resource definition column (in JSONPath format): " + path;
  }
  return column;
}

}  // namespace

Columns custom_columns(const Tree& printer_columns) {
  Columns columns{name_column()};
  for (const auto& definition : printer_columns.items()) columns.push_back(column_of(definition));
  if (columns.size() > 1) return columns;
  auto age = age_column();
  age.type = "date";
  columns.push_back(age);
  return columns;
}

}  // namespace keelson::sandbox
