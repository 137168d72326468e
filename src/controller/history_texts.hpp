// The texts of recorded reconciles, each stored once: a record has a small number for each of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/text_hash.hpp"
#include "keelson/kube/object.hpp"

namespace keelson::limits {

// Distinct kinds, reasons and field paths of all records, and their bytes. They follow from the code of the
// controllers, except for keys of maps such as labels; beyond the limit a text is recorded as "…".
inline constexpr std::size_t kRecordedTexts = 4096;
inline constexpr std::size_t kRecordedTextBytes = std::size_t{128} << 10;

// Distinct error texts, and bytes of each: long enough for a rejection by RBAC. The least recently used one is
// replaced.
inline constexpr std::size_t kRecordedErrors = 256;
inline constexpr std::size_t kRecordedErrorBytes = 400;

}  // namespace keelson::limits

namespace keelson::controller {

// Bytes of an allocation for the text, if it does not fit into the string itself.
[[nodiscard]] std::size_t heap_bytes(const std::string& text);

// Kinds, reasons and paths of fields. It only grows, up to limits::kRecordedTexts and limits::kRecordedTextBytes.
class TextTable {
 public:
  using Id = std::uint16_t;
  TextTable();
  TextTable(const TextTable&) = delete;
  TextTable& operator=(const TextTable&) = delete;

  // A longer text is not stored: a field path with the name of an item of a list can be as long as its author likes,
  // and some of them would use up the table.
  static constexpr std::size_t kLongestText = 256;
  // The number of the text; that of "…" if the text is too long or the table is full.
  [[nodiscard]] Id id_of(std::string_view text);
  [[nodiscard]] const std::string& text_of(Id id) const;
  // Bytes of memory, without those of the class itself.
  [[nodiscard]] std::size_t bytes() const;

 private:
  std::deque<std::string> texts_;  // references to its elements stay valid
  base::TextMap<std::string_view, Id> ids_;
  std::size_t text_bytes_ = 0;
};

// Error texts. Objects that fail for the same reason share one, because their own names are replaced in it.
class ErrorTable {
 public:
  using Id = std::uint32_t;  // 0: no error
  ErrorTable() = default;
  ErrorTable(const ErrorTable&) = delete;
  ErrorTable& operator=(const ErrorTable&) = delete;

  // Stores the beginning of an error of the object `key`.
  [[nodiscard]] Id add(std::string_view error, const kube::Key& key);
  // Empty if another text has replaced it.
  [[nodiscard]] std::string text_of(Id id, const kube::Key& key) const;
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Entry {
    std::string text;
    Id id = 0;
    std::uint64_t used = 0;  // the number of the last add() that returned it
  };
  std::vector<Entry> entries_;
  Id last_id_ = 0;
  std::uint64_t adds_ = 0;
};

}  // namespace keelson::controller
