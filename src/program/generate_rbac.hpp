// config/rbac: the manager's account and role, and roles for people who work with our kinds.
#pragma once

#include <vector>

#include "src/program/generate.hpp"

namespace keelson::program {

void generate_rbac(const Declarations& declared, std::vector<GeneratedFile>& out);

}  // namespace keelson::program
