// Random questions about schedules: valid and invalid expressions, zones, and instants at which clocks change.
#pragma once

#include <cstdint>
#include <string>

#include "keelson/detail/base/random.hpp"

namespace keelson::testing {

struct Question {
  std::string expression;
  std::int64_t instant = 0;
  int count = 1;  // of firings, one after the other
};

[[nodiscard]] Question random_question(base::Random& random);

}  // namespace keelson::testing
