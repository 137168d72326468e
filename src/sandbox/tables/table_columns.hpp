// The columns that `kubectl get` prints for each kind, as the printers of kube-apiserver define them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/tables/table_cells.hpp"

namespace keelson::sandbox {

struct Column {
  std::string name;
  std::function<Tree(const Tree& object, WallTime now)> cell;
  std::string type = "string";
  int priority = 0;  // 0: always shown; otherwise with `-o wide`
  std::string format = {};
  std::string description = {};
};
using Columns = std::vector<Column>;

// Name and creation time, for kinds without a printer.
[[nodiscard]] Columns built_in_columns(const kube::Resource& resource);

[[nodiscard]] Column name_column();
[[nodiscard]] Column age_column();

// A column with the value at a path: a string, or a number (0 if it is absent).
[[nodiscard]] Column text_column(std::string name, std::vector<std::string> path, std::string otherwise = "",
                                 int priority = 0);
[[nodiscard]] Column number_column(std::string name, std::vector<std::string> path);
// A column whose text is computed.
[[nodiscard]] Column computed_column(std::string name, std::string (*text)(const Tree& object), int priority = 0);

// The columns that each file defines; empty for a kind that is not in the file.
[[nodiscard]] Columns workload_columns(const std::string& kind);
[[nodiscard]] Columns network_columns(const std::string& kind);
[[nodiscard]] Columns cluster_columns(const std::string& kind);

}  // namespace keelson::sandbox
