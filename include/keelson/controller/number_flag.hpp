// A flag of a controller's own: a whole number, in the program's help beside its flags, read from Context::numbers.
#pragma once

#include <string>

namespace keelson::controller {

struct NumberFlag {
  std::string name;  // "hikawa-seed": no other flag has it (asserted)
  std::string help;
};

}  // namespace keelson::controller
