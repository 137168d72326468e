// base::Misuse: a mistake in the code of an operator's author, as an exception whose text says how to fix it.
//
// Thrown at the start, it prevents the program from starting. Thrown in a reconcile, a watch handler or a review, it
// counts as a panic and fails only this reconcile or review. Bugs of Keelson itself are a KEELSON_ASSERT.
#pragma once

#include <stdexcept>

namespace keelson::base {

class Misuse final : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace keelson::base
