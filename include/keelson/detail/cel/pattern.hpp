// A regular expression as Go's package regexp reads and matches it, in time linear to the text, by RE2.
//
// Patterns come from users (matches() in CEL, `pattern` in schemas), so neither their compilation nor their evaluation
// may take exponential time. Backreferences and lookaround do not exist. A Pattern is immutable, and a copy is cheap.
// It and its copies take at most 2 MiB, usually less than 10 KB.
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
  // 64 KiB, nested more than 1000 deep or larger than kMostSize is rejected.
  [[nodiscard]] static Result<Pattern> compile(std::string_view expression);
  // Adds the cost to `cost`, in instructions: that of a compiled pattern is its size(). A rejected one costs only what
  // RE2's parser had to read, unless its program turned out to be too large.
  [[nodiscard]] static Result<Pattern> compile(std::string_view expression, std::size_t& cost);

  // Whether the pattern matches anywhere in `text`, which should be UTF-8; an invalid byte matches as U+FFFD. Subtracts
  // the cost from `steps`, which depends only on the length of the text and on size(): for most patterns, a step or two
  // for each byte. Nullopt if `steps` does not suffice.
  [[nodiscard]] std::optional<bool> matches(std::string_view text, std::size_t& steps) const;

  // The leftmost match that begins at `from` or later; `begin` is npos if there is none. The cost is that of matches()
  // for the rest of the text, in which invalid bytes match nothing.
  struct Match {
    std::size_t begin = std::string_view::npos;
    std::size_t size = 0;
  };
  [[nodiscard]] std::optional<Match> find(std::string_view text, std::size_t from, std::size_t& steps) const;

  // The cost of compilation and storage, in instructions: at most kMostSize. One takes about 100 bytes and 0.2 us.
  [[nodiscard]] std::size_t size() const;
  static constexpr std::size_t kMostSize = 100'000;

  struct Program;

 private:
  explicit Pattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace keelson::cel
