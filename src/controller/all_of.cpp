#include "keelson/controller/pass.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "keelson/detail/base/assert.hpp"
#include "keelson/detail/controller/basic_pass.hpp"

namespace keelson::controller {

namespace {

// The texts of an Error: a prune may fail for thousands of children.
constexpr std::size_t kMostTexts = 16;

int rank(const Error& error) {
  if (is_waiting(error)) return 2;
  return error.kind == Error::Kind::kTerminal ? 1 : 0;
}

}  // namespace

Error joined(std::vector<Error> errors) {
  KEELSON_ASSERT(!errors.empty());
  std::ranges::stable_sort(errors, {}, rank);
  auto all = errors.front();
  // The others may disappear by a retry.
  if (rank(errors.back()) != rank(all) && all.kind == Error::Kind::kTerminal) all.kind = Error::Kind::kInvalid;
  auto& text = all.server_text.empty() ? all.text : all.server_text;
  for (std::size_t i = 1; i < errors.size(); ++i) {
    all.retry_after = std::max(all.retry_after, errors[i].retry_after);
    if (i < kMostTexts) text += "; and " + errors[i].message();
  }
  if (errors.size() > kMostTexts) text += "; and " + std::to_string(errors.size() - kMostTexts) + " more errors";
  return all;
}

}  // namespace keelson::controller
