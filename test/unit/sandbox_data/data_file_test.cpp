// The content of a data file, its permissions and lock, and the rejection of other files.
#include "keelson/detail/sandbox_data/data_file.hpp"

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>
#include <functional>

#include "test/support/files.hpp"
#include "test/unit/sandbox_data/faulty_vfs.hpp"
#include "test/unit/sandbox_data/opened.hpp"

namespace keelson::sandbox_data {
namespace {

using fixtures::opened;
using fixtures::try_open;
using testing::mode_of;

// The changes of another program to a file.
void run_sql(const std::string& path, const char* sql) {
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, sql, nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
}

TEST_CASE("objects, the highest version and settings are loaded again, CRDs first") {
  testing::TemporaryFolder folder;
  const auto path = folder.file("data");
  {
    auto file = opened(path);
    REQUIRE(fixtures::put(*file, "a", 1, "one"));
    REQUIRE(fixtures::put(*file, "b", 2, "two"));
    REQUIRE(file->put({kube::custom_resource_definitions(), kube::Key("", "x"), 3, "three"}));
    REQUIRE(fixtures::put(*file, "a", 4, "four"));
    REQUIRE(fixtures::erase(*file, "b", 5));
    REQUIRE(file->set({{"token", "secret"}, {"empty", ""}}));
  }
  auto file = opened(path);

  std::vector<std::string> order;
  auto highest = file->load([&order](const sandbox::Journal::Row& row) {
    order.push_back(row.resource.api_version() + " " + row.resource.plural + " " + row.key.text() + " " +
                    std::to_string(row.version) + " " + std::string(row.json));
    return Result<void>();
  });

  REQUIRE(highest);
  CHECK(*highest == 5);
  CHECK(order == std::vector<std::string>{"apiextensions.k8s.io/v1 customresourcedefinitions x 3 three",
                                          "v1 configmaps default/a 4 four"});
  CHECK(**file->setting("token") == "secret");
  CHECK((*file->setting("empty"))->empty());
  CHECK_FALSE(*file->setting("none"));
}

TEST_CASE("only its owner can read the file and its WAL") {
  testing::TemporaryFolder folder;
  const auto path = folder.file("data");
  auto before = ::umask(0);
  {
    auto file = opened(path);
    REQUIRE(fixtures::put(*file, "a", 1, "one"));
    CHECK(mode_of(path) == 0600);
    CHECK(mode_of(path + "-wal") == 0600);
  }
  ::umask(before);
  ::chmod(path.c_str(), 0644);

  auto file = opened(path);

  CHECK(mode_of(path) == 0600);
}

TEST_CASE("one process at a time uses a file, and no other file remains next to it at the end") {
  testing::TemporaryFolder folder;
  const auto path = folder.file("data");
  auto first = opened(path);

  auto second = try_open(path);

  REQUIRE_FALSE(second);
  CHECK(second.error().text ==
        path + " is in use by another process: stop that process, or give the name of another file");
  first.reset();
  opened(path).reset();
  auto files = std::filesystem::directory_iterator(folder.path());
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("a file that cannot be a data file is not changed, and the error has the fix") {
  struct Row {
    const char* text;
    std::function<void(const std::string&)> make;
    const char* expected;
  };
  auto application = "PRAGMA application_id = 1263747672";
  const Row rows[] = {
      {"a folder", [](const std::string& path) { std::filesystem::create_directory(path); },
       " is a folder: give --data"},
      {"a device", [](const std::string& path) { std::filesystem::create_symlink("/dev/null", path); },
       " is not a regular file: give --data"},
      {"a text", [](const std::string& path) { std::filesystem::copy_file("/etc/passwd", path); },
       " is not a data file of keelson-sandbox, and was not changed"},
      {"another program's database", [](const std::string& path) { run_sql(path, "CREATE TABLE t (x)"); },
       " is not a data file of keelson-sandbox, and was not changed"},
      {"an older format",
       [&](const std::string& path) {
         run_sql(path, (application + std::string("; PRAGMA user_version = 1")).c_str());
       },
       " was written by an older keelson-sandbox (format 1, and this one reads format 2): use that version"},
      {"a newer format",
       [&](const std::string& path) {
         run_sql(path, (application + std::string("; PRAGMA user_version = 3")).c_str());
       },
       " was written by a newer keelson-sandbox (format 3, and this one reads format 2): use that version"},
      {"other tables",
       [](const std::string& path) {
         opened(path).reset();
         run_sql(path, "CREATE TRIGGER t AFTER INSERT ON object BEGIN DELETE FROM object; END");
       },
       " is damaged (its tables do not have the expected schema)"},
  };

  for (const auto& row : rows) {
    INFO(row.text);
    testing::TemporaryFolder folder;
    const auto path = folder.file("data");
    row.make(path);
    auto content = [&] { return std::filesystem::is_regular_file(path) ? folder.read("data") : ""; };
    const auto before = content();

    auto file = try_open(path);

    REQUIRE_FALSE(file);
    INFO(file.error().text);
    CHECK(file.error().text.starts_with(path + row.expected));
    CHECK(content() == before);
  }
}

TEST_CASE("the error about a missing folder names the file") {
  auto file = try_open("/keelson/none/data");

  REQUIRE_FALSE(file);
  CHECK(file.error().text.find("cannot create /keelson/none/data: no such file or directory") == 0);
}

TEST_CASE("an empty file becomes a data file") {
  testing::TemporaryFolder folder;
  folder.write("data", "");

  CHECK(fixtures::put(*opened(folder.file("data")), "a", 1, "one"));
}

TEST_CASE("the files grow with the objects and not with the writes") {
  testing::TemporaryFolder folder;
  const auto path = folder.file("data");
  auto file = opened(path);
  const std::string json(2000, 'x');

  for (std::uint64_t i = 1; i <= 10000; ++i) REQUIRE(fixtures::put(*file, std::to_string(i % 10), i, json));

  CHECK(std::filesystem::file_size(path) < 100'000);
  CHECK(std::filesystem::file_size(path + "-wal") < 5'000'000);
}

TEST_CASE("a process that is killed at any write during the creation leaves a file that can be opened") {
  fixtures::FaultyVfs::install();
  for (int place = 0;; ++place) {
    INFO("write " << place);
    testing::TemporaryFolder folder;
    const auto path = folder.file("data");
    auto child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      fixtures::FaultyVfs::fail_from(place, fixtures::FaultyVfs::kKill);
      ::_exit(fixtures::try_open(path, {.vfs = fixtures::FaultyVfs::kName}) ? 1 : 2);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    REQUIRE(WEXITSTATUS(status) != 2);
    {
      auto file = fixtures::opened(path);
      CHECK(fixtures::all(*file).empty());
      CHECK(fixtures::put(*file, "a", 1, "{}"));
    }
    auto again = fixtures::opened(path);
    CHECK(fixtures::all(*again).size() == 1);
    if (WEXITSTATUS(status) == 1) break;
  }
}

}  // namespace
}  // namespace keelson::sandbox_data
