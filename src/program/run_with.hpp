// What keelson::run and Operator::run have in common.
#pragma once

#include <string>
#include <vector>

#include "keelson/program/operator.hpp"

namespace keelson::program {

// As keelson::run; `name` is not checked yet.
[[nodiscard]] int run_with(const std::string& name, int argc, char** argv,
                           std::vector<controller::Definition> controllers, const Additions& additions);

// Throws base::Misuse: a runnable, check or endpoint without a function, of a name or path that is taken.
void check_additions(const Additions& additions);

}  // namespace keelson::program
