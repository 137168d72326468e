#include "keelson/detail/program/version_command.hpp"

#include <cstdlib>
#include <ostream>
#include <string>

#include "keelson/detail/cli/command_line.hpp"
#include "keelson/detail/program/version.hpp"
#include "src/program/notices.hpp"

namespace keelson::program {

namespace {

constexpr cli::Flag kVersionFlags[] = {{"licenses", "", "Print the licenses of the libraries that are linked in."}};

}  // namespace

constexpr cli::Command kVersionCommand{
    "version", "", "Print the versions of the program and of its libraries, as --version does, or their licenses.",
    kVersionFlags};

int version_command(const std::string& program, const std::vector<std::string>& arguments, std::ostream& out,
                    std::ostream& errors, const std::vector<std::string>& more_libraries) {
  auto text = version_text();
  for (const auto& library : more_libraries) text += library + "\n";
  return version_command(program, text, arguments, out, errors);
}

int version_command(const std::string& program, const std::string& text, const std::vector<std::string>& arguments,
                    std::ostream& out, std::ostream& errors) {
  return cli::run_command({program, out, errors}, kVersionCommand, arguments,
                          [&](const cli::Words& words) -> Result<int> {
                            out << (words.is_set("licenses") ? third_party_notices() : text);
                            return EXIT_SUCCESS;
                          });
}

}  // namespace keelson::program
