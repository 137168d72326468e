// PathScan: the values at a few paths of a JSON text, in one pass that validates the whole text and can run in slices.
//
// Example (test/examples/json.cpp#path_scan):
//   // The object of an admission review as JSON, the bytes as received.
//   Task<std::string> object_in(async::TimeSlice& slice, std::string review) {
//     json::PathScan scan(review, {{"request", "uid"}, {"request", "object"}});
//     for (;;) {
//       KEELSON_CO_LET(const bool is_done, scan.advance(kSliceBytes));
//       if (is_done) co_return std::string(scan.value(1));
//       co_await slice.yield();
//     }
//   }
//
// It is for large untrusted texts, such as admission reviews. Of duplicate members the last counts, as in Go. Paths
// lead through objects, not through arrays. The text must outlive the scan and the values.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/base/result.hpp"
#include "keelson/detail/json/reader.hpp"

namespace keelson::json {

class PathScan {
 public:
  // Each path is a list of member names. Paths may share a prefix, and a path may be the prefix of another one.
  PathScan(std::string_view text, const std::vector<std::vector<std::string>>& paths);

  // Reads about `bytes` more. True when the whole text is read; kMalformed with the byte offset if it is not JSON.
  [[nodiscard]] Result<bool> advance(std::size_t bytes);

  // The value at the path with this index in the constructor's list, as JSON; empty if absent. Only after advance()
  // returned true: an earlier value may be replaced by a later duplicate.
  [[nodiscard]] std::string_view value(std::size_t path) const { return values_[path]; }
  // The same value decoded, if it is a string; otherwise empty.
  [[nodiscard]] std::string text(std::size_t path) const;

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  // A member name on a path; the paths form a tree.
  struct Node {
    std::string name;
    std::size_t path = kNowhere;  // the index of the path that ends here
    std::vector<std::size_t> children;
  };
  // An open object on the way to a path, or an open container that is the value of a path.
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
