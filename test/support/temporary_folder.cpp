#include "test/support/temporary_folder.hpp"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <system_error>

namespace keelson::testing {
namespace fs = std::filesystem;

TemporaryFolder::TemporaryFolder() {
  auto name = (fs::temp_directory_path() / "keelson-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), "mkdtemp " + name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

std::string TemporaryFolder::write(const std::string& name, const std::string& text) const {
  const auto target = path_ / name;
  fs::create_directories(target.parent_path());
  const auto fresh = target.string() + ".new";
  std::ofstream(fresh) << text;
  fs::rename(fresh, target);
  return target.string();
}

std::string TemporaryFolder::read(const std::string& name) const {
  std::ifstream stream(path_ / name);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void TemporaryFolder::remove(const std::string& name) const { fs::remove_all(path_ / name); }

}  // namespace keelson::testing
