#include "test/cluster/harness/manifests.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

namespace keelson::testing {

namespace {

namespace fs = std::filesystem;

Output shell(const std::string& script, const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"bash", "-o", "pipefail", "-c", script, "test"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command);
}

// "TAG" of "# [TAG] what it is".
std::string tag_of(const std::string& line) {
  if (!line.starts_with("# [")) return {};
  return line.substr(3, line.find(']') - 3);
}

// A block ends with an empty line, or with the next field of the kustomization.
bool ends_block(const std::string& line) { return line.empty() || (line[0] >= 'a' && line[0] <= 'z'); }

// Fields and items, which have no space after the #, and the lines indented below them; sentences have one space.
bool is_switched_off(const std::string& line) {
  return line.starts_with("#") && line.size() > 1 && (line[1] != ' ' || line.starts_with("#  "));
}

}  // namespace

Output kustomize(const fs::path& folder) { return run({"kustomize", "build", folder.string()}); }

std::string render(const fs::path& folder) {
  INFO(folder);
  const TemporaryFolder said;
  auto rendered = shell("kustomize build \"$1\" 2>\"$2\"", {folder.string(), said.file("errors")});
  CHECK(said.read("errors") == "");
  REQUIRE(rendered.exit_code == 0);
  return rendered.text;
}

Output pipe_into_kubectl(const fs::path& folder, const std::string& arguments) {
  return shell("kustomize build \"$1\" | kubectl " + arguments, {folder.string()});
}

std::string memcacheds(int count) {
  std::string all;
  for (int number = 0; number < count; ++number) {
    all += "---\napiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: many-" +
           std::to_string(number) + "}\nspec: {size: 1}\n";
  }
  return all;
}

TreeCopy::TreeCopy() {
  for (const char* part : {"config", "kustomize", "deploy", "scripts", "Makefile"}) {
    fs::copy(fs::path(KEELSON_SOURCE_DIR) / part, path() / part, fs::copy_options::recursive);
  }
}

void TreeCopy::replace(const std::string& file, const std::string& from, const std::string& to) const {
  auto text = read(file);
  INFO(file << ": " << from);
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  write(file, text.replace(at, from.size(), to));
}

void TreeCopy::switch_on(const std::string& file, const std::string& tag) const { turn(file, tag, Switch::kOn); }
void TreeCopy::switch_off(const std::string& file, const std::string& tag) const { turn(file, tag, Switch::kOff); }

void TreeCopy::turn(const std::string& file, const std::string& tag, Switch to) const {
  std::istringstream lines(read(file));
  std::string text;
  std::string current;
  int turned = 0;
  for (std::string line; std::getline(lines, line);) {
    if (const auto found = tag_of(line); !found.empty()) {
      current = found;
    } else if (current == tag && to == Switch::kOn && is_switched_off(line)) {
      line.erase(0, 1);
      ++turned;
    } else if (ends_block(line)) {
      current.clear();
    } else if (current == tag && to == Switch::kOff && !line.starts_with("#")) {
      line.insert(0, 1, '#');
      ++turned;
    }
    text += line + "\n";
  }
  INFO(file << " has nothing to switch below [" << tag << "]");
  REQUIRE(turned > 0);
  write(file, text);
}

}  // namespace keelson::testing
