// config/rbac: the manager's ServiceAccount and role, and roles for users of our kinds.
#pragma once

#include <vector>

#include "src/program/commands/generate.hpp"

namespace keelson::program {

void generate_rbac(const Declarations& declared, std::vector<GeneratedFile>& out);

}  // namespace keelson::program
