#include "test/support/data_rows.hpp"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace keelson::testing {

std::string DataRow::operator[](std::string_view name) const {
  const auto found = fields_.find(name);
  return found == fields_.end() ? std::string() : found->second;
}

bool DataRow::add(std::string name, std::string value) {
  return fields_.emplace(std::move(name), std::move(value)).second;
}

void DataRow::continue_value(const std::string& name, std::string_view line) {
  fields_[name].append("\n").append(line);
}

std::vector<DataRow> data_rows(const std::string& path, const std::vector<std::string>& names) {
  std::ifstream file(std::string(KEELSON_SOURCE_DIR) + "/" + path);
  std::vector<DataRow> rows;
  std::string name;  // of the last field; empty between rows
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const auto place = path + ":" + std::to_string(number);
    const auto colon = line.find(':');
    if (line.starts_with('#')) continue;
    if (line.empty()) {
      name.clear();
    } else if (line.starts_with("  ") && !name.empty()) {
      rows.back().continue_value(name, std::string_view(line).substr(2));
    } else {
      const bool is_field = colon != std::string::npos && (colon + 1 == line.size() || line[colon + 1] == ' ');
      if (!is_field) throw std::runtime_error(place + R"(: no "name: value": )" + line);
      const bool begins = name.empty();
      name = line.substr(0, colon);
      if (!std::ranges::count(names, name)) throw std::runtime_error(place + ": no field of this table: " + line);
      if (begins) rows.emplace_back(place);
      auto value = colon + 2 < line.size() ? line.substr(colon + 2) : std::string();
      if (!rows.back().add(name, std::move(value))) throw std::runtime_error(place + ": the row has two of " + name);
    }
  }
  if (rows.empty()) throw std::runtime_error(path + ": no rows");
  return rows;
}

}  // namespace keelson::testing
