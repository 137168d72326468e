#include "src/scaffold/open_project.hpp"

#include "keelson/base/try.hpp"
#include "src/scaffold/file_io.hpp"

namespace keelson::scaffold {

Result<Project> open_project(const std::filesystem::path& root) {
  KEELSON_LET(const auto text, read_file(root / kProjectFile));
  if (!text) {
    return invalid_error("there is no PROJECT in " + root.string() +
                         ": run the command in the folder of a project, or create one with keelson init");
  }
  return parse_project(*text);
}

}  // namespace keelson::scaffold
