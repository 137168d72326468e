#include "keelson/detail/sandbox/problems.hpp"

#include <algorithm>

namespace keelson::sandbox {

void Problems::add(std::string text) {
  auto known = std::find_if(all_.begin(), all_.end(), [&](const Problem& problem) { return problem.text == text; });
  if (known != all_.end()) {
    ++known->times;
  } else if (all_.size() < kMost) {
    all_.push_back({std::move(text)});
  }
}

}  // namespace keelson::sandbox
