// The common part of keelson::run and Operator::run.
#pragma once

#include <string>
#include <vector>

#include "keelson/program/operator.hpp"

namespace keelson::program {

// As keelson::run; checks `name`.
[[nodiscard]] int run_with(const std::string& name, int argc, char** argv,
                           std::vector<controller::Definition> controllers, const Additions& additions);

// Throws base::Misuse for a runnable, check or endpoint without a function, or with an invalid or taken name or path.
void check_additions(const Additions& additions);

}  // namespace keelson::program
