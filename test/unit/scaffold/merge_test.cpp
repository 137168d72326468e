#include "src/scaffold/merge.hpp"

#include <stdlib.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <fstream>
#include <string>

using keelson::scaffold::merge_texts;
namespace fs = std::filesystem;

TEST_CASE("a merge has the changes of both sides") {
  const auto merged = merge_texts("mine\nb\nc\nd\n", "a\nb\nc\nd\n", "a\nb\nc\nnow\n");

  REQUIRE(merged);
  CHECK(merged->text == "mine\nb\nc\nnow\n");
  CHECK_FALSE(merged->has_conflicts);
}

TEST_CASE("a merge uses a folder of its own and leaves others alone") {
  auto folder = (fs::temp_directory_path() / "keelson-test-XXXXXX").string();
  REQUIRE(mkdtemp(folder.data()) != nullptr);
  const std::string before = getenv("TMPDIR") == nullptr ? "" : getenv("TMPDIR");
  fs::create_directory(folder + "/keelson-merge-XXXXXX");
  std::ofstream(folder + "/keelson-merge-XXXXXX/mine") << "foreign";

  setenv("TMPDIR", folder.c_str(), 1);
  CHECK(merge_texts("a\n", "a\n", "b\n"));
  setenv("TMPDIR", "/nonexistent", 1);
  const auto failed = merge_texts("a\n", "a\n", "b\n");
  if (before.empty()) {
    unsetenv("TMPDIR");
  } else {
    setenv("TMPDIR", before.c_str(), 1);
  }

  REQUIRE_FALSE(failed);
  CHECK(failed.error().text.starts_with("the folder of TMPDIR cannot be used: "));
  std::string content;
  std::getline(std::ifstream(folder + "/keelson-merge-XXXXXX/mine"), content);
  CHECK(content == "foreign");
  CHECK(std::distance(fs::directory_iterator(folder), fs::directory_iterator()) == 1);
  fs::remove_all(folder);
}
