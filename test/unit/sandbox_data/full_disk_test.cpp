// A disk that is full or fails at each write of SQLite: stored objects remain, and failed writes have no effect.
#include <catch2/catch_test_macros.hpp>
#include <filesystem>

#include "test/unit/sandbox_data/faulty_vfs.hpp"
#include "test/unit/sandbox_data/opened.hpp"

namespace keelson::sandbox_data {
namespace {

using fixtures::FaultyVfs;
using fixtures::Objects;

// Makes some writes; `expected` gets the objects of the successful ones. Returns the text of the first error, if any.
std::string write_some(DataFile& file, Objects& expected, const std::vector<std::size_t>& sizes) {
  std::string first_error;
  std::uint64_t version = 100;
  auto note = [&first_error](const Result<void>& done) {
    if (!done && first_error.empty()) first_error = done.error().text;
    return done.has_value();
  };
  for (const auto* name : {"a", "b", "c"}) {
    for (auto bytes : sizes) {
      const std::string json(bytes, *name);
      ++version;
      if (note(fixtures::put(file, name, version, json))) {
        expected["configmaps default/" + std::string(name)] = {version, json};
      }
    }
  }
  if (note(fixtures::erase(file, "b", ++version))) expected.erase("configmaps default/b");
  static_cast<void>(note(file.set({{"x", "1"}, {"y", std::string(10'000, 'y')}})));
  return first_error;
}

void check_places(int code, const std::string& error, const std::vector<std::size_t>& sizes, int step) {
  FaultyVfs::install();
  for (int place = 0;; place += step) {
    INFO("write " << place);
    testing::TemporaryFolder folder;
    const auto path = folder.file("data");
    Objects expected;
    {
      auto file = fixtures::opened(path, {.vfs = FaultyVfs::kName});
      REQUIRE(fixtures::put(*file, "kept", 1, std::string(5000, 'k')));
      expected = fixtures::all(*file);
      FaultyVfs::fail_from(place, code);
      auto first_error = write_some(*file, expected, sizes);
      if (FaultyVfs::failures == 0) break;
      // A checkpoint that fails is repeated later.
      if (!first_error.empty()) CHECK(first_error.find(error + path) == 0);
      CHECK(fixtures::all(*file) == expected);
      bool is_set = file->setting("x")->has_value();
      CHECK(file->setting("y")->has_value() == is_set);

      // The state after kill -9.
      std::filesystem::copy(path, path + ".copy");
      std::filesystem::copy(path + "-wal", path + ".copy-wal");
      FaultyVfs::heal();
      CHECK(fixtures::all(*fixtures::opened(path + ".copy")) == expected);

      expected.clear();
      REQUIRE(fixtures::put(*file, "a", 1000, "later"));
      expected = fixtures::all(*file);
      CHECK(expected["configmaps default/a"].second == "later");
    }
    CHECK(fixtures::all(*fixtures::opened(path)) == expected);
    REQUIRE(place < 200 * step);
  }
  FaultyVfs::heal();
}

const std::vector<std::size_t> kFewPages{10, 30'000, 200};
// The WAL reaches its limit and is copied to the file.
const std::vector<std::size_t> kManyPages{1'500'000, 10};

TEST_CASE("a data file loses no stored object when the disk is full at any write, and later writes work") {
  check_places(SQLITE_FULL, "database space exceeded: cannot write ", kFewPages, 1);
}

TEST_CASE("a data file loses no stored object when the disk fails at any write, and later writes work") {
  check_places(SQLITE_IOERR_WRITE, "cannot read or write ", kFewPages, 1);
}

TEST_CASE("a data file loses no stored object when the disk is full during a checkpoint") {
  check_places(SQLITE_FULL, "database space exceeded: cannot write ", kManyPages, 89);
}

TEST_CASE("a data file that cannot be created on a full disk is rejected, and can be created later") {
  FaultyVfs::install();
  for (int place = 0;; ++place) {
    INFO("write " << place);
    testing::TemporaryFolder folder;
    FaultyVfs::fail_from(place, SQLITE_FULL);
    auto file = fixtures::try_open(folder.file("data"), {.vfs = FaultyVfs::kName});
    FaultyVfs::heal();
    if (FaultyVfs::failures == 0) break;
    // Closing a new database may fail, which loses nothing.
    if (!file) CHECK(file.error().text.find("database space exceeded: cannot write ") == 0);
    if (file) file->reset();

    CHECK(fixtures::put(*fixtures::opened(folder.file("data")), "a", 1, "one"));
    REQUIRE(place < 100);
  }
}

TEST_CASE("a data file whose total cannot be stored on a full disk is rejected, and is not changed") {
  testing::TemporaryFolder folder;
  const auto path = folder.file("data");
  CHECK(fixtures::put(*fixtures::opened(path), "a", 1, "one"));
  const auto before = folder.read("data");
  std::filesystem::create_symlink("/dev/full", path + "-total");

  auto file = fixtures::try_open(path);

  REQUIRE_FALSE(file);
  CHECK(file.error().text.starts_with("database space exceeded: cannot write " + path + "-total: no space left"));
  CHECK(folder.read("data") == before);
}

TEST_CASE("the data file logs the first failed write of a series, and the end of the series") {
  FaultyVfs::install();
  testing::TemporaryFolder folder;
  sandbox::loop::RecordingSink sink;
  auto file = DataFile::open(folder.file("data"), Logger(sink), {.vfs = FaultyVfs::kName});
  REQUIRE(file);
  FaultyVfs::fail_from(0, SQLITE_FULL);

  CHECK_FALSE(fixtures::put(**file, "a", 1, "one"));
  CHECK_FALSE(fixtures::put(**file, "a", 1, "one"));
  FaultyVfs::heal();
  CHECK(fixtures::put(**file, "a", 1, "one"));
  CHECK(fixtures::put(**file, "a", 2, "two"));

  CHECK(sink.count("Writes to the data file fail") == 1);
  CHECK(sink.count("Writes to the data file work again") == 1);
}

}  // namespace
}  // namespace keelson::sandbox_data
