// The command `update`: a three-way merge of each generated file.
#include "keelson/base/text.hpp"
#include "keelson/base/try.hpp"
#include "src/scaffold/commands.hpp"
#include "src/scaffold/merge.hpp"
#include "src/scaffold/open_project.hpp"

namespace keelson::scaffold {

namespace {

Files generated_now(const Project& project) {
  auto files = project_files(project);
  for (const auto& kind : project.kinds) files.merge(kind_files(project, kind));
  return files;
}

// Merges one file. `now` is what this program generates.
Result<void> update_file(const std::filesystem::path& root, const std::string& path, const std::string& now,
                         Update& out) {
  KEELSON_LET(const auto mine, read_file(root / path));
  KEELSON_LET(const auto base, read_file(root / base_path(path)));
  if (base == now) return {};
  if (!mine) {
    if (base) {
      out.deleted.push_back(path);
    } else {
      out.change.write(path, now);
    }
  } else {
    // Without an ancestor, the user has a file of this name, and only equal lines merge without a conflict.
    KEELSON_LET(auto merged, merge_texts(*mine, base.value_or(""), now));
    if (merged.has_conflicts) out.conflicts.push_back(path);
    if (merged.text != *mine) out.change.write(path, merged.text);
  }
  out.change.write(base_path(path), now);
  return {};
}

}  // namespace

Result<Update> update(const std::filesystem::path& root, const std::string& version) {
  KEELSON_LET(auto project, open_project(root));
  project.version = version;
  const auto files = generated_now(project);
  std::vector<std::string> unresolved;
  for (const auto& [path, now] : files) {
    KEELSON_LET(const auto mine, read_file(root / path));
    if (mine && has_conflict_markers(*mine)) unresolved.push_back(path);
  }
  if (!unresolved.empty()) {
    return invalid_error("these files have conflict markers: resolve them first: " + base::join(unresolved, ", "));
  }
  Update out{TreeChange(root), {}, {}};
  for (const auto& [path, now] : files) KEELSON_TRY(update_file(root, path, now, out));
  KEELSON_LET(const auto text, read_file(root / kProjectFile));
  if (text != project_text(project)) out.change.write(std::string(kProjectFile), project_text(project));
  return out;
}

}  // namespace keelson::scaffold
