// `plan`: prints the writes that the built-in controllers of this version would make. Their list is
// src/kinds/built_in.cpp.
#include "keelson/plan/plan.hpp"
#include "src/kinds/built_in.hpp"

int main(int argc, char** argv) {
  return keelson::run_plan(keelson::kinds::kOperatorName, argc, argv, keelson::kinds::built_in());
}
