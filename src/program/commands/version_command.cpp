#include "keelson/program/version_command.hpp"

#include <cstdlib>
#include <ostream>
#include <string>

#include "keelson/base/go_text.hpp"
#include "keelson/program/version.hpp"
#include "src/program/commands/commands.hpp"
#include "src/program/notices.hpp"

namespace keelson::program {

namespace {

std::string usage_of(const std::string& program) {
  return "Usage: " + program +
         " version [--licenses]\n"
         "  --licenses   Print the licenses of the libraries that are linked in.\n";
}

}  // namespace

int version_command(const std::string& program, const std::vector<std::string>& arguments, std::ostream& out,
                    std::ostream& errors, const std::vector<std::string>& more_libraries) {
  auto text = version_text();
  for (const auto& library : more_libraries) text += library + "\n";
  return version_command(program, text, arguments, out, errors);
}

int version_command(const std::string& program, const std::string& text, const std::vector<std::string>& arguments,
                    std::ostream& out, std::ostream& errors) {
  if (asks_for_help(arguments)) {
    out << usage_of(program);
    return EXIT_SUCCESS;
  }
  if (arguments.empty()) {
    out << text;
    return EXIT_SUCCESS;
  }
  if (arguments.size() == 1 && (arguments.front() == "--licenses" || arguments.front() == "-licenses")) {
    out << third_party_notices();
    return EXIT_SUCCESS;
  }
  errors << "unexpected argument " << base::quote_go(arguments.back()) << "\n" << usage_of(program);
  return kUsageError;
}

}  // namespace keelson::program
