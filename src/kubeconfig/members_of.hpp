// The fields of an entry of a kubeconfig, read with Go's rules for absent and wrong values.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/base/error.hpp"
#include "keelson/json/value.hpp"

namespace keelson::kube {

// Reads the members of an object by name. Absent members and null leave the zero value, as in Go. The first error is
// stored in `problem`, with its path and never with its value.
class MembersOf {
 public:
  MembersOf(json::View view, std::string path, std::optional<Error>& problem);

  void read(const char* name, std::string& target);
  void read(const char* name, bool& target);
  void read_base64(const char* name, std::string& target);
  void read(const char* name, std::vector<std::string>& target);
  void read(const char* name, std::map<std::string, std::vector<std::string>>& target);

  // Calls read_item(MembersOf) for every item of the list.
  template <class ReadItem>
  void each(const char* name, ReadItem read_item) {
    auto list = view_.find(name);
    if (list.has_value() && !list.is_array()) return fail(path_of(name), list, "a list");
    std::size_t index = 0;
    for (auto item : list.items()) {
      read_item(MembersOf(item, path_of(name) + "[" + std::to_string(index++) + "]", problem_));
    }
  }

  // The member as JSON; empty if it is absent.
  [[nodiscard]] std::string text_of(const char* name) const { return has(name) ? view_.find(name).text() : ""; }
  [[nodiscard]] bool has(const char* name) const { return view_.find(name).has_value(); }
  [[nodiscard]] MembersOf inside(const char* name) { return MembersOf(view_.find(name), path_of(name), problem_); }

  // Go also prints the list with its tokens and keys, which must not be logged.
  void fail_duplicate(const std::string& name, std::string_view type);

 private:
  [[nodiscard]] std::string path_of(const char* name) const { return path_.empty() ? name : path_ + "." + name; }
  void fail(const std::string& path, json::View found, const char* expected);
  void read_strings(json::View list, const std::string& path, std::vector<std::string>& target);

  json::View view_;
  std::string path_;
  std::optional<Error>& problem_;
};

}  // namespace keelson::kube
