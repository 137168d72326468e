// A regular expression in the syntax of RE2, as Go reads it, that matches in time linear to the text.
//
// There are no backreferences and no lookaround. \p classes know ASCII: every other character is in each of them.
// Errors of compile() are Go's: "error parsing regexp: missing closing ): `(a`".
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

#include "keelson/base/result.hpp"

namespace keelson::cel {

class Pattern {
 public:
  [[nodiscard]] static Result<Pattern> compile(std::string_view expression);

  // Whether it matches anywhere in the text. Takes what that costs from `steps`; nothing when they do not suffice.
  [[nodiscard]] std::optional<bool> matches(std::string_view text, std::size_t& steps) const;

  // What it costs to compile and to store, in instructions: at most kMostSize.
  [[nodiscard]] std::size_t size() const;
  static constexpr std::size_t kMostSize = 20'000;

  struct Program;

 private:
  explicit Pattern(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  std::shared_ptr<const Program> program_;
};

}  // namespace keelson::cel
