// A recorded reconcile as a line of JSON, for the file of history_store.hpp. Without I/O.
//
// A line has texts instead of the numbers of the history's tables, so another process can read it. It has nothing that
// /debug/objects does not show.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "keelson/kube/object.hpp"
#include "src/controller/reconcile_history.hpp"

namespace keelson::controller {

// The first line of a file. The number is that of the format: increase it if a member or the order of an enumeration
// changes (ReconcileResult, RecordedName::Form, RecordedWrite::Effect, kube::Verb).
inline constexpr std::string_view kStoredHistoryHeader = R"({"keelsonReconcileHistory":1})";

// A namespace and a name of Kubernetes are at most 317 bytes; a longer key is damaged.
inline constexpr std::size_t kLongestStoredKey = 512;

struct StoredReconcile {
  std::string controller;
  kube::Key key;
  ReconcileRecord record;
};

// The line, with its line break. `history` has the texts.
[[nodiscard]] std::string stored_line(const ReconcileHistory& history, std::string_view controller,
                                      const kube::Key& key, const ReconcileRecord& record);
// nullopt if the line is damaged. Adds its texts to the tables of `history`.
[[nodiscard]] std::optional<StoredReconcile> parse_stored(ReconcileHistory& history, std::string_view line);

}  // namespace keelson::controller
