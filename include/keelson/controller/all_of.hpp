// Joins the results of several writes, such as those of Pass::apply_all, to one Error that names all of them.
#pragma once

#include <utility>
#include <vector>

#include "keelson/base/result.hpp"

namespace keelson::controller {

// The first Error, with the texts of the others after its own, and the longest `retry_after`. A kTerminal Error comes
// after those that a retry may fix, and an Error of a child that is being deleted comes last, because it disappears by
// itself. The result is kTerminal only if all are. `errors` must not be empty (asserted).
[[nodiscard]] Error joined(std::vector<Error> errors);

// Succeeds if all results do; otherwise their Errors as joined().
template <class... Ts>
[[nodiscard]] Result<void> all_of(const Result<Ts>&... results) {
  std::vector<Error> errors;
  const auto add = [&errors](const auto& result) {
    if (!result) errors.push_back(result.error());
  };
  (add(results), ...);
  if (errors.empty()) return {};
  return joined(std::move(errors));
}

}  // namespace keelson::controller
