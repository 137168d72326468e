// The manifests of this tree as users render them, and copies of the tree that a test may change.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "test/cluster/harness/process.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {

// The output of `kustomize build` of a folder, including warnings.
[[nodiscard]] Output kustomize(const std::filesystem::path& folder);
// The same for a folder that must render without output on stderr.
[[nodiscard]] std::string render(const std::filesystem::path& folder);

// `kustomize build FOLDER | kubectl ARGUMENTS`, as users type it.
[[nodiscard]] Output pipe_into_kubectl(const std::filesystem::path& folder, const std::string& arguments);

// That many Memcached of size 1, with the names many-0, many-1 and so on.
[[nodiscard]] std::string memcacheds(int count);

// A copy of the files that are needed to render and to deploy.
class TreeCopy : public TemporaryFolder {
 public:
  TreeCopy();

  // Fails the test if `from` is not in the file.
  void replace(const std::string& file, const std::string& from, const std::string& to) const;
  // Remove and add the # before the lines below "# [TAG]".
  void switch_on(const std::string& file, const std::string& tag) const;
  void switch_off(const std::string& file, const std::string& tag) const;

 private:
  enum class Switch { kOn, kOff };
  void turn(const std::string& file, const std::string& tag, Switch to) const;
};

}  // namespace keelson::testing
