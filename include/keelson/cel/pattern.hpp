// A regular expression in the syntax of RE2, as Go's package regexp reads it, which matches in time linear to the text.
//
// Patterns come from users (matches() in CEL, `pattern` in schemas), so neither their compilation nor their evaluation
// may take exponential time. Backreferences and lookaround do not exist, as in RE2. The \p classes are only correct for
// ASCII: every other character is in each of them. A Pattern is immutable, and a copy is cheap.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::cel {

class Pattern {
 public:
  // Errors are kInvalid with Go's text: "error parsing regexp: missing closing ): `(a`". A pattern with more than
  // 64 KiB, nested more than 250 deep or larger than kMostSize is rejected.
  [[nodiscard]] static Result<Pattern> compile(std::string_view expression);

  // Whether the pattern matches anywhere in `text`, which should be UTF-8; an invalid byte matches as U+FFFD. Subtracts
  // the cost from `steps`, at most about the length of the text times size(). Nullopt if `steps` does not suffice.
  [[nodiscard]] std::optional<bool> matches(std::string_view text, std::size_t& steps) const;

  // The cost of compilation and storage, in instructions: at most kMostSize.
  [[nodiscard]] std::size_t size() const;
  static constexpr std::size_t kMostSize = 20'000;

  struct Program;

 private:
  explicit Pattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace keelson::cel
