// `manager`: the built-in controllers in one binary. The flags are in src/program/flags/flag_table.cpp, the list of
// controllers in src/controllers/built_in.cpp.
#include "keelson/program/operator.hpp"
#include "src/app/schedule_command.hpp"
#include "src/controllers/built_in.hpp"

int main(int argc, char** argv) {
  keelson::Operator manager(keelson::controllers::kOperatorName);
  manager.version(keelson::program::version(), keelson::program::commit());
  for (auto& definition : keelson::controllers::built_in()) manager.add(std::move(definition));
  manager.command(keelson::app::schedule());
  return manager.run(argc, argv);
}
