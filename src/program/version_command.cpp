#include "src/program/version_command.hpp"

#include <cstdlib>
#include <ostream>
#include <string_view>

#include "keelson/base/go_text.hpp"
#include "src/program/commands.hpp"
#include "src/program/notices.hpp"
#include "src/program/version.hpp"

namespace keelson::program {

namespace {

constexpr int kUsageError = 2;
constexpr std::string_view kUsage =
    "Usage: manager version [--licenses]\n"
    "  --licenses   Print the licenses of the libraries that are linked in.\n";

}  // namespace

int version_command(const std::vector<std::string>& arguments, std::ostream& out, std::ostream& errors) {
  if (asks_for_help(arguments)) {
    out << kUsage;
    return EXIT_SUCCESS;
  }
  if (arguments.empty()) {
    out << version_text();
    return EXIT_SUCCESS;
  }
  if (arguments.size() == 1 && (arguments.front() == "--licenses" || arguments.front() == "-licenses")) {
    out << third_party_notices();
    return EXIT_SUCCESS;
  }
  errors << "unexpected argument " << base::quote_go(arguments.back()) << "\n" << kUsage;
  return kUsageError;
}

}  // namespace keelson::program
