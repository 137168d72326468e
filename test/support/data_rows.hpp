// The rows of a table in a file next to a test, for tables that are too long for its source.
//
//   # A comment.
//   rule: self.n <= 5
//   why: the first line of a value
//     its second line, without the two spaces
//
// A row has a line per field, in the form "name: value" or "name:", and ends at an empty line. A value is used as it is
// written. A field that a row lacks is empty.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace keelson::testing {

class DataRow {
 public:
  explicit DataRow(std::string place) : place_(std::move(place)) {}
  // "test/unit/sandbox/value_rules.txt:37", for INFO().
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] std::string operator[](std::string_view name) const;
  // False if the row has the field already.
  bool add(std::string name, std::string value);
  void continue_value(const std::string& name, std::string_view line);

 private:
  std::string place_;
  std::map<std::string, std::string, std::less<>> fields_;
};

// `path` begins with "test/". Throws std::runtime_error with the line for a file that is missing, empty or malformed,
// or that has other fields than `names`.
[[nodiscard]] std::vector<DataRow> data_rows(const std::string& path, const std::vector<std::string>& names);

}  // namespace keelson::testing
