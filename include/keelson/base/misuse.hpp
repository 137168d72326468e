// A mistake in the code of an operator's author, as an exception whose text says what is wrong and how to fix it.
//
// At the start it keeps the program from starting. Within a reconcile, a watch handler or a review it counts as a panic
// and fails that one alone. KEELSON_ASSERT remains for mistakes of Keelson itself.
#pragma once

#include <stdexcept>

namespace keelson::base {

class Misuse final : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace keelson::base
