// The columns that `kubectl get` shows of each kind, as the printers of the real server define them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "keelson/kube/resource.hpp"
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

// Name and creation time for kinds that have no printer.
[[nodiscard]] Columns built_in_columns(const kube::Resource& resource);

[[nodiscard]] Column name_column();
[[nodiscard]] Column age_column();

// A column that shows what is at a path: a text, or a number (0 when it is not there).
[[nodiscard]] Column text_column(std::string name, std::vector<std::string> path, std::string otherwise = "",
                                 int priority = 0);
[[nodiscard]] Column number_column(std::string name, std::vector<std::string> path);
// A column whose text is computed.
[[nodiscard]] Column computed_column(std::string name, std::string (*text)(const Tree& object), int priority = 0);

// By the file that has them: nothing for a kind that is not among them.
[[nodiscard]] Columns workload_columns(const std::string& kind);
[[nodiscard]] Columns network_columns(const std::string& kind);
[[nodiscard]] Columns cluster_columns(const std::string& kind);

}  // namespace keelson::sandbox
