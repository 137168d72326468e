// `manager`: the built-in controllers in one binary. The flags are in src/program/flags/flag_table.cpp, the list of
// controllers in src/kinds/built_in.cpp.
#include "keelson/detail/program/version.hpp"
#include "keelson/program/operator.hpp"
#include "src/app/schedule_command.hpp"
#include "src/kinds/built_in.hpp"

int main(int argc, char** argv) {
  keelson::Operator manager(keelson::kinds::kOperatorName);
  manager.version(keelson::program::version(), keelson::program::commit());
  for (auto& definition : keelson::kinds::built_in()) manager.add(std::move(definition));
  manager.command(keelson::app::schedule());
  return manager.run(argc, argv);
}
