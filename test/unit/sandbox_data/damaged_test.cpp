// Truncated and changed files: they are rejected, or have everything that was stored, and never crash the process.
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "keelson/detail/base/random.hpp"
#include "src/sandbox_data/total.hpp"
#include "test/unit/sandbox_data/faulty_vfs.hpp"
#include "test/unit/sandbox_data/opened.hpp"

namespace keelson::sandbox_data {
namespace {

using Files = std::map<std::string, std::string>;  // by the end of their names: "", "-wal", "-total"

// What was stored, and the files that have it.
struct Stored {
  fixtures::Objects objects;
  std::uint64_t version = 0;
  Files files;
};

Files files_of(const testing::TemporaryFolder& folder) {
  Files files;
  for (const char* suffix : {"", "-wal", "-total"}) {
    auto text = folder.read(std::string("data") + suffix);
    if (!text.empty()) files[suffix] = text;
  }
  return files;
}

Stored closed_file() {
  testing::TemporaryFolder folder;
  Stored stored;
  {
    auto file = fixtures::opened(folder.file("data"));
    for (int i = 0; i < 60; ++i) {
      REQUIRE(fixtures::put(*file, std::to_string(i), ++stored.version, std::string(700, 'x')));
    }
    for (int i = 0; i < 10; ++i) {
      REQUIRE(fixtures::put(*file, std::to_string(i), ++stored.version, std::string(6000, 'y')));
    }
    REQUIRE(fixtures::erase(*file, "20", ++stored.version));
    REQUIRE(file->set({{"token", "secret"}}));
    stored.objects = fixtures::all(*file);
  }
  stored.files = files_of(folder);
  CHECK(stored.files.size() == 1);
  return stored;
}

// After SIGKILL, with writes in the WAL.
Stored killed_file() {
  testing::TemporaryFolder folder;
  auto stored = closed_file();
  folder.write("data", stored.files[""]);
  auto file = fixtures::opened(folder.file("data"));
  for (int i = 5; i < 25; ++i) {
    REQUIRE(fixtures::put(*file, std::to_string(i), ++stored.version, std::string(i < 10 ? 9000 : 500, 'z')));
  }
  REQUIRE(fixtures::erase(*file, "30", ++stored.version));
  stored.objects = fixtures::all(*file);
  stored.files = files_of(folder);
  CHECK(stored.files.size() == 3);
  return stored;
}

// A rejected file is not changed, and every other one has all objects and accepts writes. Returns whether it was
// rejected.
bool check_damaged(const Stored& stored, const Files& files) {
  testing::TemporaryFolder folder;
  const auto path = folder.file("data");
  for (const auto& [suffix, content] : files) folder.write("data" + suffix, content);
  auto names_file = [&path](const Error& error) { return error.text.find(path) != std::string::npos; };
  fixtures::FaultyVfs::install();
  auto file = fixtures::try_open(path, {.vfs = fixtures::FaultyVfs::kName});
  if (!file) {
    CHECK(names_file(file.error()));
    for (const auto& [suffix, content] : files) CHECK(folder.read("data" + suffix) == content);
    return true;
  }
  fixtures::Objects objects;
  auto highest = fixtures::read(**file, objects);
  CHECK((highest && *highest == stored.version));
  CHECK(objects == stored.objects);
  auto token = (*file)->setting("token");
  CHECK((token && *token == "secret"));
  for (int i = 0; i < 5; ++i) {
    auto put = fixtures::put(**file, std::to_string(i), stored.version + 1, std::string(9000, 'z'));
    CHECK((put || names_file(put.error())));
  }
  static_cast<void>(fixtures::erase(**file, "31", stored.version + 2));
  return false;
}

TEST_CASE("a file that is truncated anywhere is rejected, or loses nothing") {
  for (const auto& stored : {closed_file(), killed_file()}) {
    for (const auto& [suffix, content] : stored.files) {
      for (std::size_t bytes = 1; bytes < content.size(); bytes += content.size() / 40 + 1) {
        INFO(suffix << " " << bytes);
        auto files = stored.files;
        files[suffix].resize(bytes);
        const bool is_rejected = check_damaged(stored, files);
        CHECK((is_rejected || suffix != "-wal"));
      }
    }
  }
}

TEST_CASE("a file with changed bits is rejected, or has every object as it was stored") {
  base::Random random(1);
  auto flip = [&random](std::string& bytes, std::size_t below) {
    auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(std::min(below, bytes.size())) - 1));
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.between(0, 7)));
  };
  const auto closed = closed_file();
  const auto killed = killed_file();
  int rejected = 0;
  for (int round = 0; round < 200; ++round) {
    INFO("round " << round);
    const auto& stored = round % 2 == 0 ? closed : killed;
    auto files = stored.files;
    auto& damaged = files[round % 2 == 0 || round % 16 == 1 ? "" : round % 16 == 3 ? "-total" : "-wal"];
    // Some of the changes are in the structure of the database.
    for (int i = 0; i <= round / 100 * 2; ++i) flip(damaged, round % 8 == 0 ? 200 : damaged.size());
    if (check_damaged(stored, files)) ++rejected;
  }
  CHECK(rejected > 100);
}

TEST_CASE("a WAL in which any frame is damaged is rejected") {
  const auto stored = killed_file();
  constexpr std::size_t kHeader = 32;
  constexpr std::size_t kFrame = 24 + 4096;
  std::string header;
  for (std::size_t at = kHeader + 8; at < stored.files.at("-wal").size(); at += kFrame) {
    for (std::size_t place : {at, at + 1000}) {
      INFO("byte " << place);
      auto files = stored.files;
      files["-wal"][place] = static_cast<char>(files["-wal"][place] ^ 1);
      CHECK(check_damaged(stored, files));
    }
  }
  auto files = stored.files;
  files["-wal"][20] = static_cast<char>(files["-wal"][20] ^ 1);
  CHECK(check_damaged(stored, files));
  files.erase("-wal");
  CHECK(check_damaged(stored, files));
}

std::string error_of(const Files& files, const std::string& sql, std::string& path) {
  testing::TemporaryFolder folder;
  path = folder.file("data");
  for (const auto& [suffix, content] : files) folder.write("data" + suffix, content);
  sqlite3* database = nullptr;
  REQUIRE(sqlite3_open(path.c_str(), &database) == SQLITE_OK);
  CHECK(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
  sqlite3_close(database);
  auto file = fixtures::try_open(path);
  return file ? "" : file.error().text;
}

TEST_CASE("each row that has changed or is missing is found, and the error has the object and the fix") {
  const auto closed = closed_file();
  const auto killed = killed_file();
  const std::string fix = "): restore it from a backup, or move it away to start with a new cluster";
  const std::string object = R"( is damaged (the checksum of an object is wrong: "configmaps default/)";
  const std::string missing = " is damaged (objects are missing" + fix;
  const std::pair<std::string, std::string> rows[] = {
      {"UPDATE object SET json = 'z' WHERE name = '7'", object + "7\"" + fix},
      {"UPDATE object SET version = version + 1 WHERE name = '8'", object + "8\"" + fix},
      {"UPDATE object SET name = 'other' WHERE name = '9'", object + "other\"" + fix},
      {"UPDATE object SET namespace = 'other' WHERE name = '9'",
       R"( is damaged (the checksum of an object is wrong: "configmaps other/9")" + fix},
      {"UPDATE object SET plural = 'secrets' WHERE name = '9'",
       R"( is damaged (the checksum of an object is wrong: "secrets default/9")" + fix},
      {"DELETE FROM object WHERE name = '3'", missing},
      {"UPDATE setting SET value = 'x' WHERE name = 'token'",
       R"( is damaged (the checksum of a setting is wrong: "token")" + fix},
      {"DELETE FROM setting WHERE name = 'token'", missing},
  };

  for (const auto& [sql, expected] : rows) {
    INFO(sql);
    std::string path;
    CHECK(error_of(closed.files, sql, path) == path + expected);
  }
  std::string path;
  CHECK(error_of(killed.files, "DELETE FROM object WHERE name = '3'", path) ==
        path + " is damaged (acknowledged writes are missing: " + path + "-wal has changed, or " + path +
            "-total is of another time): restore it from a backup, or delete " + path +
            "-total to continue with the writes that it has");
}

TEST_CASE("a process that is killed at any write of a transaction or of the end loses nothing that it acknowledged") {
  fixtures::FaultyVfs::install();
  auto* acknowledged = static_cast<std::uint64_t*>(
      ::mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  REQUIRE(acknowledged != MAP_FAILED);
  constexpr std::uint64_t kWrites = 5;
  // Codes that no sanitizer uses. kKill ends the process with 0.
  constexpr int kRejected = 41;
  constexpr int kDone = 42;
  for (int place = 0;; ++place) {
    INFO("write " << place);
    testing::TemporaryFolder folder;
    const auto path = folder.file("data");
    fixtures::opened(path, {.vfs = fixtures::FaultyVfs::kName}).reset();
    *acknowledged = 0;
    auto child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      auto file = fixtures::try_open(path, {.vfs = fixtures::FaultyVfs::kName});
      fixtures::FaultyVfs::fail_from(place, fixtures::FaultyVfs::kKill);
      for (std::uint64_t i = 1; i <= kWrites; ++i) {
        if (!fixtures::put(**file, i % 2 == 0 ? "same" : std::to_string(i), i, std::string(i * 900, 'x')))
          ::_exit(kRejected);
        *acknowledged = i;
      }
      file->reset();
      ::_exit(kDone);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(WIFEXITED(status));
    const int code = WEXITSTATUS(status);
    REQUIRE((code == 0 || code == kDone));
    auto file = fixtures::opened(path, {.vfs = fixtures::FaultyVfs::kName});
    fixtures::Objects objects;
    auto highest = fixtures::read(*file, objects);
    REQUIRE(highest);
    CHECK((*highest == *acknowledged || *highest == *acknowledged + 1));
    CHECK(objects.size() == (*highest + 1) / 2 + (*highest > 1 ? 1 : 0));
    for (const auto& [name, value] : objects) CHECK(value.second.size() == value.first * 900);
    if (code == kDone) {
      CHECK(*acknowledged == kWrites);
      break;
    }
  }
  ::munmap(acknowledged, sizeof(std::uint64_t));
}

TEST_CASE("writes that a power failure has undone are logged") {
  testing::TemporaryFolder folder;
  const auto closed = closed_file();
  folder.write("data", closed.files.at(""));
  {
    TotalFile total(folder.file("data"), {'b', 'e', 'f', 'o', 'r', 'e'});
    REQUIRE(total.store({70, 1}, {71, 2}));
  }
  sandbox::loop::RecordingSink sink;

  auto file = DataFile::open(folder.file("data"), Logger(sink));

  REQUIRE(file);
  CHECK(fixtures::all(**file) == closed.objects);
  CHECK(sink.count("The last writes to the data file are missing") == 1);
}

TEST_CASE("a file after SIGKILL without its total is read, and this is logged once") {
  testing::TemporaryFolder folder;
  const auto killed = killed_file();
  folder.write("data", killed.files.at(""));
  folder.write("data-wal", killed.files.at("-wal"));
  sandbox::loop::RecordingSink sink;

  for (int life = 0; life < 2; ++life) {
    auto file = DataFile::open(folder.file("data"), Logger(sink));

    REQUIRE(file);
    CHECK(fixtures::all(**file) == killed.objects);
    CHECK(sink.count("Cannot check whether writes are missing in the data file") == 1);
  }
}

TEST_CASE("an empty file next to a total is rejected, and a WAL and a total without a file are replaced") {
  auto killed = killed_file();
  killed.files[""].clear();
  CHECK(check_damaged(killed, killed.files));

  testing::TemporaryFolder target;
  testing::TemporaryFolder link;
  for (const auto& [suffix, content] : killed.files) target.write("data" + suffix, content);
  std::filesystem::create_symlink(target.file("data"), link.file("data"));
  auto linked = fixtures::try_open(link.file("data"));
  REQUIRE_FALSE(linked);
  CHECK(linked.error().text.find("it is empty") != std::string::npos);

  testing::TemporaryFolder folder;
  folder.write("data-wal", killed.files["-wal"]);
  folder.write("data-total", killed.files["-total"]);
  CHECK(fixtures::all(*fixtures::opened(folder.file("data"))).empty());
}

}  // namespace
}  // namespace keelson::sandbox_data
