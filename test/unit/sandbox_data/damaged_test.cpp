// Truncated and changed files: they are read or rejected, and never crash the process.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "keelson/detail/base/random.hpp"
#include "test/unit/sandbox_data/opened.hpp"

namespace keelson::sandbox_data {
namespace {

// A file and its WAL after kill -9, both with objects.
struct Files {
  Files() {
    testing::TemporaryFolder folder;
    const auto path = folder.file("data");
    {
      auto file = fixtures::opened(path);
      for (int i = 0; i < 60; ++i) REQUIRE(fixtures::put(*file, std::to_string(i), version++, std::string(700, 'x')));
      REQUIRE(file->set({{"token", "secret"}}));
    }
    auto file = fixtures::opened(path);
    for (int i = 0; i < 10; ++i) REQUIRE(fixtures::put(*file, std::to_string(i), version++, std::string(6000, 'y')));
    REQUIRE(fixtures::erase(*file, "20", version++));
    database = folder.read("data");
    wal = folder.read("data-wal");
  }

  std::uint64_t version = 1;
  std::string database;
  std::string wal;
};

// All operations of the program on such a file.
void use(const std::string& database, const std::string& wal) {
  testing::TemporaryFolder folder;
  const auto path = folder.file("data");
  folder.write("data", database);
  folder.write("data-wal", wal);
  auto names_file = [&path](const Error& error) { return error.text.find(path) != std::string::npos; };
  auto file = fixtures::try_open(path);
  if (!file) {
    CHECK(names_file(file.error()));
    return;
  }
  fixtures::Objects objects;
  auto highest = fixtures::read(**file, objects);
  CHECK((highest || names_file(highest.error())));
  static_cast<void>((*file)->setting("token"));
  for (int i = 0; i < 5; ++i) {
    auto put = fixtures::put(**file, std::to_string(i), 1000, std::string(9000, 'z'));
    CHECK((put || names_file(put.error())));
  }
  static_cast<void>(fixtures::erase(**file, "30", 1001));
}

TEST_CASE("a file that is truncated anywhere is read or rejected") {
  Files files;
  for (std::size_t bytes = 0; bytes < files.database.size(); bytes += 1997) use(files.database.substr(0, bytes), "");
  for (std::size_t bytes = 0; bytes < files.wal.size(); bytes += 1997) use(files.database, files.wal.substr(0, bytes));
}

TEST_CASE("a file with changed bits is read or rejected") {
  Files files;
  base::Random random(1);
  auto flip = [&random](std::string& bytes, std::size_t below) {
    auto at = static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(std::min(below, bytes.size())) - 1));
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.between(0, 7)));
  };
  for (int round = 0; round < 200; ++round) {
    INFO("round " << round);
    auto database = files.database;
    auto wal = files.wal;
    // Half of the changes are in the structure of the database.
    for (int i = 0; i <= round % 4; ++i) flip(database, round % 2 == 0 ? 200 : database.size());
    if (round % 8 == 0) flip(wal, wal.size());
    use(database, round % 3 == 0 ? wal : "");
  }
}

}  // namespace
}  // namespace keelson::sandbox_data
