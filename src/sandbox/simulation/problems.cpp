#include "keelson/detail/sandbox/problems.hpp"

#include <algorithm>

namespace keelson::sandbox {

void Problems::add(std::string text) {
  auto known = std::ranges::find_if(all_, [&](const Problem& problem) { return problem.text == text; });
  if (known != all_.end()) {
    ++known->times;
  } else if (all_.size() < kMost) {
    all_.push_back({std::move(text)});
  }
}

}  // namespace keelson::sandbox
