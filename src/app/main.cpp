// `manager`: the built-in controllers in one binary.
#include "keelson/program/operator.hpp"
#include "src/app/built_in.hpp"
#include "src/app/schedule_command.hpp"

int main(int argc, char** argv) {
  keelson::Operator manager(keelson::app::kName);
  for (auto& definition : keelson::app::built_in_controllers()) manager.add(std::move(definition));
  manager.command(keelson::app::schedule());
  return manager.run(argc, argv);
}
