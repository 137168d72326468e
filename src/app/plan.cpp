// `plan`: prints the writes that the built-in controllers of this version would make. Their list is
// src/controllers/built_in.cpp.
#include "keelson/plan/plan.hpp"
#include "src/controllers/built_in.hpp"

int main(int argc, char** argv) {
  return keelson::run_plan(keelson::controllers::kOperatorName, argc, argv, keelson::controllers::built_in());
}
