// The declarations of a program, which its services and its commands use.
#pragma once

#include <string>
#include <vector>

#include "keelson/detail/program/flags.hpp"
#include "keelson/program/operator.hpp"

namespace keelson::program {

struct ProgramParts {
  std::string program;  // the binary's own name
  const Syntax& syntax;
  const std::vector<controller::Definition>& controllers;
  const Additions& additions;
};

}  // namespace keelson::program
