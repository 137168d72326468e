// Finds the values at a few paths of a JSON text, in one pass that checks the whole text and can run in slices.
//
//   json::PathScan scan(text, {{"request", "uid"}, {"request", "object"}});
//   for (;;) { auto done = scan.advance(slice); … hand the loop back unless it is done … }
//   scan.value(1)                              // the bytes of the object, as they came
//
// Of duplicate members the last counts, as Go reads them. Paths lead through objects only. The text must outlive it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/json/reader.hpp"

namespace keelson::json {

class PathScan {
 public:
  // Two paths may share a beginning, or one be the beginning of another.
  PathScan(std::string_view text, const std::vector<std::vector<std::string>>& paths);

  // Reads about so many bytes more; true when all is read, kMalformed with the place when the text is not JSON.
  [[nodiscard]] Result<bool> advance(std::size_t bytes);

  // The value at the path with that index in the constructor's list, as JSON; empty: it is absent.
  [[nodiscard]] std::string_view value(std::size_t path) const { return values_[path]; }
  // The same decoded, when it is a string; otherwise empty.
  [[nodiscard]] std::string text(std::size_t path) const;

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  struct Node {
    std::string name;
    std::size_t path = kNowhere;
    std::vector<std::size_t> children;
  };
  // An object on the way to a path, or a container that is one's value.
  struct Open {
    std::size_t depth;
    std::size_t node;
    std::size_t begin;
    bool leads_on;
  };

  void on_name();
  void on_begin(bool is_object);
  void on_end();
  void on_scalar();
  void forget(std::size_t node);
  [[nodiscard]] bool is_name(const std::string& wanted) const;

  std::string_view text_;
  Reader reader_;
  std::vector<Node> nodes_;
  std::vector<std::string_view> values_;
  std::vector<Open> open_;
  std::size_t coming_ = 0;  // the node that the next value belongs to
  bool is_done_ = false;
};

}  // namespace keelson::json
