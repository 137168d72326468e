// `plan`: prints the writes that the built-in controllers of this version would make.
#include "keelson/plan/plan.hpp"
#include "src/app/built_in.hpp"

int main(int argc, char** argv) {
  return keelson::run_plan(keelson::app::kName, argc, argv, keelson::app::built_in_controllers());
}
