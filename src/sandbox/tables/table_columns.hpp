// The columns that `kubectl get` prints for each kind, as the printers of kube-apiserver define them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "keelson/schema/identity.hpp"
#include "src/sandbox/tables/table_cells.hpp"

namespace keelson::sandbox {

struct Column {
  std::string name;  // empty: its cell has no definition
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

// A column with the value at a path such as "spec.size": a string, a number (0 if it is absent), or a bool (false if it
// is absent). Some columns of the real server have another type than their cells.
[[nodiscard]] Column text_column(std::string name, std::string path, std::string otherwise = "", int priority = 0);
[[nodiscard]] Column number_column(std::string name, std::string path, std::string type = "integer");
[[nodiscard]] Column flag_column(std::string name, std::string path, std::string type = "boolean");
// The number of members or items at a path.
[[nodiscard]] Column size_column(std::string name, std::string path, std::string type);
// A column of `-o wide` with the LabelSelector or the map of labels at a path, formatted by selector_text or
// labels_text.
[[nodiscard]] Column selector_column(std::string name, std::string path, std::string (*format)(const Tree*),
                                     int priority = 0);
// A column whose text is computed.
[[nodiscard]] Column computed_column(std::string name, std::string (*text)(const Tree& object), int priority = 0);

// The columns that each file defines, by kind.
using KindColumns = std::map<std::string, Columns>;
[[nodiscard]] const KindColumns& workload_columns();
[[nodiscard]] const KindColumns& network_columns();
[[nodiscard]] const KindColumns& cluster_columns();
// The kinds of admission policies, flow control, CSI, devices and the API server itself.
[[nodiscard]] const KindColumns& extension_columns();
// Those that are computed from several fields: the STATUS of a Pod summarizes the states of its containers; Events of
// v1 and of events.k8s.io/v1 have different names for the same fields.
[[nodiscard]] Columns pod_columns();
[[nodiscard]] Columns event_columns();
[[nodiscard]] Columns autoscaler_columns();

}  // namespace keelson::sandbox
