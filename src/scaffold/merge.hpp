// The three-way merge of `keelson update`, by `git merge-file`.
#pragma once

#include <string>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::scaffold {

struct Merged {
  std::string text;
  bool has_conflicts = false;  // `text` has conflict markers, with the common ancestor
};

// `mine` with the changes from `base` to `theirs`. kInvalid if git cannot be run.
[[nodiscard]] Result<Merged> merge_texts(const std::string& mine, const std::string& base, const std::string& theirs);

// Whether a text has the markers of a merge.
[[nodiscard]] bool has_conflict_markers(std::string_view text);

}  // namespace keelson::scaffold
