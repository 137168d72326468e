// The file of the history of reconciles: it survives a restart, and no damage of it stops the program.
#include "src/controller/history_store.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <filesystem>
#include <fstream>

#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/controller/stored_reconcile.hpp"
#include "test/support/files.hpp"
#include "test/support/temporary_folder.hpp"
#include "test/unit/controller/fakes.hpp"

namespace keelson::controller {
namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using testing::content_of;
using testing::mode_of;

const kube::Key kStored("default", "web");

// A process with a history of the controllers `memcached` and `cronjob`.
struct Life {
  explicit Life(const testing::TemporaryFolder& folder, HistoryStore::Write write = {},
                std::vector<std::string> controllers = {"memcached", "cronjob"})
      : store(loop.executor(), loop.clock(), Logger(lines), history, std::move(controllers), folder.path().string(),
              std::move(write)) {
    store.load();
  }

  ReconcileRecord record(const std::string& error) {
    ReconcileRecord made;
    made.began = async::WallTime(1'790'000'000s);
    made.waited = 12ms;
    made.lasted = 3ms;
    made.after = 5s;
    made.retries = 2;
    made.result = error.empty() ? ReconcileResult::kSuccess : ReconcileResult::kError;
    if (!error.empty()) made.error = history.errors.add(error, kStored);
    made.reasons = {{history.texts.id_of("Deployment updated"), {RecordedName::Form::kSuffix, "-x"}}};
    made.writes = {{kube::Verb::kPatch,
                    RecordedWrite::Effect::kRejected,
                    history.texts.id_of("Service"),
                    {RecordedName::Form::kSelf, ""},
                    {history.texts.id_of("spec.ports")}}};
    made.reads = {{history.texts.id_of("Pod"), 3, 1}};
    return made;
  }
  void run(std::function<asio::awaitable<void>()> steps) {
    auto whole = [&]() -> asio::awaitable<void> {
      CHECK((co_await store.start()).has_value());
      co_await steps();
      co_await store.stop();
    };
    loop.run(sandbox::loop::TestLoop::Body(whole));
  }
  // Adds a record and ends.
  void add_one(const std::string& error = "no quota for web") {
    run([&]() -> asio::awaitable<void> {
      history.add(0, kStored, record(error));
      co_return;
    });
  }
  asio::awaitable<void> pass(async::Duration time) { return async::sleep_for(loop.clock(), time); }

  sandbox::loop::TestLoop loop;
  testing::FakeLog lines;
  ReconcileHistory history{100'000};
  HistoryStore store;
};

void write_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

constexpr const char* kFailed =
    "Could not store the history of reconciles; reconciling continues, and storing is tried again";

TEST_CASE("a record has the same values after a restart") {
  const testing::TemporaryFolder folder;
  {
    Life first(folder);
    first.add_one();
  }
  CHECK(mode_of(folder.path() / "reconciles") == 0600);
  CHECK(content_of(folder.path() / "reconciles").starts_with(std::string(kStoredHistoryHeader) + "\n"));

  const Life second(folder);
  const auto records = second.history.records(0, kStored);
  REQUIRE(records.size() == 1);
  const auto& read = records.front();
  CHECK(read.began == async::WallTime(1'790'000'000s));
  CHECK(read.waited == 12ms);
  CHECK(read.lasted == 3ms);
  // Durations have three digits.
  CHECK(std::chrono::round<std::chrono::seconds>(read.after) == 5s);
  CHECK(read.retries == 2);
  CHECK(read.result == ReconcileResult::kError);
  CHECK(second.history.errors.text_of(read.error, kStored) == "no quota for web");
  REQUIRE(read.reasons.size() == 1);
  CHECK(second.history.texts.text_of(read.reasons[0].reason) == "Deployment updated");
  CHECK(read.reasons[0].object.text_for(kStored) == "default/web-x");
  REQUIRE(read.writes.size() == 1);
  CHECK(read.writes[0].verb == kube::Verb::kPatch);
  CHECK(read.writes[0].effect == RecordedWrite::Effect::kRejected);
  CHECK(second.history.texts.text_of(read.writes[0].fields.at(0)) == "spec.ports");
  REQUIRE(read.reads.size() == 1);
  CHECK(read.reads[0].cached == 3);
  CHECK(second.lines.entries.empty());
}

TEST_CASE("controllers are found by their names, also if others run now") {
  const testing::TemporaryFolder folder;
  Life(folder).add_one();

  const Life other(folder, {}, {"guestbook", "memcached"});
  CHECK(other.history.records(1, kStored).size() == 1);
  const Life none(folder, {}, {"guestbook"});
  CHECK(none.history.size() == 0);
}

TEST_CASE("a truncated line is skipped with one line in the log, and later lines are not joined to it") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "reconciles";
  Life(folder).add_one();
  Life(folder).add_one();
  auto text = content_of(path);
  write_file(path, text.substr(0, text.size() - 20));

  {
    Life second(folder);
    CHECK(second.history.records(0, kStored).size() == 1);
    REQUIRE(second.lines.entries.size() == 1);
    CHECK(second.lines.entries[0].message == "Skipped damaged lines of the stored history of reconciles");
    CHECK(second.lines.entries[0].fields.at("lines") == "1");
    second.add_one();
  }
  const Life third(folder);
  CHECK(third.history.records(0, kStored).size() == 2);
}

TEST_CASE("damaged lines are skipped, whatever they contain") {
  const testing::TemporaryFolder folder;
  const auto path = folder.path() / "reconciles";
  Life(folder).add_one();
  const auto good = content_of(path);
  for (const auto* line :
       {"{}", "[]", "nonsense", "{\"c\":1}", R"({"c":"memcached","ns":"default","n":"web","t":-1,"r":0})",
        R"({"c":"memcached","ns":"default","n":"web","t":1,"r":99})",
        R"({"c":"memcached","ns":"default","n":"","t":1,"r":0})",
        R"({"c":"memcached","ns":"default","n":"web","t":1,"r":0,"w":[[99,0,"Pod",0,"",[]]]})",
        R"({"c":"memcached","ns":"default","n":"web","t":1,"r":0,"why":[["Pod added",7,""]]})", "\x01\x02\xff"}) {
    INFO(line);
    write_file(path, good + line + "\n" + good.substr(good.find('\n') + 1));
    const Life life(folder);
    CHECK(life.history.records(0, kStored).size() == 2);
    CHECK(life.lines.entries.size() == 1);
  }
}

TEST_CASE("a file of another format is not read and not changed, and a new one begins") {
  const testing::TemporaryFolder folder;
  const std::string newer = "{\"keelsonReconcileHistory\":2}\nwhatever\n";
  write_file(folder.path() / "reconciles", newer);

  {
    Life life(folder);
    CHECK(life.history.size() == 0);
    CHECK(life.lines.find("The stored history of reconciles has another format and is not read") != nullptr);
    life.add_one();
  }
  CHECK(content_of(folder.path() / "reconciles.old") == newer);
  const Life next(folder);
  CHECK(next.history.records(0, kStored).size() == 1);
}

TEST_CASE("a full disk is logged once, reconciles are not stored meanwhile, and later ones are") {
  const testing::TemporaryFolder folder;
  bool is_full = true;
  const auto write = [&](int file, const char* bytes, std::size_t size) -> long {
    if (!is_full) return ::write(file, bytes, size);
    // A part of the line still fits.
    static_cast<void>(::write(file, bytes, 50));
    errno = ENOSPC;
    return 50;
  };
  {
    Life life(folder, write);
    life.run([&]() -> asio::awaitable<void> {
      for (int i = 0; i < 200; ++i) {
        life.history.add(0, kStored, life.record(""));
        co_await life.pass(1s);
      }
      CHECK(life.lines.entries.size() == 1);
      REQUIRE(life.lines.find(kFailed) != nullptr);
      CHECK(life.lines.find(kFailed)->fields.at("error").find("no space left on device") != std::string::npos);

      is_full = false;
      co_await life.pass(1min);
      life.history.add(0, {"default", "late"}, life.record(""));
      co_await life.pass(1min);
    });
  }
  const Life next(folder);
  CHECK(next.history.records(0, {"default", "late"}).size() == 1);
}

TEST_CASE("a directory that does not exist is an error in the log, and storing begins when it exists") {
  const testing::TemporaryFolder folder;
  const auto below = folder.path() / "later";
  testing::FakeLog lines;
  sandbox::loop::TestLoop loop;
  ReconcileHistory history(10);
  HistoryStore store(loop.executor(), loop.clock(), Logger(lines), history, {"memcached"}, below.string());
  store.load();
  REQUIRE(lines.find(kFailed) != nullptr);
  CHECK(lines.find(kFailed)->fields.at("error") ==
        "open " + below.string() + "/reconciles.lock: no such file or directory");

  loop.run([&]() -> asio::awaitable<void> {
    CHECK((co_await store.start()).has_value());
    history.add(0, kStored, ReconcileRecord{.began = async::WallTime(1s)});
    co_await async::sleep_for(loop.clock(), 2s);
    std::filesystem::create_directory(below);
    co_await async::sleep_for(loop.clock(), 2min);
    history.add(0, kStored, ReconcileRecord{.began = async::WallTime(2s)});
    co_await async::sleep_for(loop.clock(), 2s);
    co_await store.stop();
  });

  CHECK(content_of(below / "reconciles").find(R"("n":"web")") != std::string::npos);
  CHECK(lines.entries.size() == 1);
}

TEST_CASE("a second process does not write to the file of the first one") {
  const testing::TemporaryFolder folder;
  Life first(folder);
  Life second(folder);

  REQUIRE(second.lines.find(kFailed) != nullptr);
  CHECK(second.lines.find(kFailed)->fields.at("error").find("another process uses ") == 0);
  second.add_one();
  CHECK(content_of(folder.path() / "reconciles").empty());
}

TEST_CASE("the files are bounded, and have the last reconciles") {
  const testing::TemporaryFolder folder;
  {
    Life life(folder);
    life.run([&]() -> asio::awaitable<void> {
      for (std::size_t second = 0; second < 12; ++second) {
        for (int i = 0; i < 3000; ++i) {
          life.history.add(0, {"default", "o" + std::to_string(second) + "-" + std::to_string(i)}, life.record(""));
        }
        co_await life.pass(2s);
      }
    });
    CHECK(life.lines.entries.empty());
  }
  for (const auto* name : {"reconciles", "reconciles.old"}) {
    const auto bytes = std::filesystem::file_size(folder.path() / name);
    CHECK(bytes <= limits::kHistoryFileBytes + (std::size_t{64} << 10));
    CHECK(mode_of(folder.path() / name) == 0600);
  }
  const Life next(folder);
  CHECK(next.history.records(0, {"default", "o11-2999"}).size() == 1);
  CHECK(next.lines.entries.empty());
}

TEST_CASE("a reconcile whose line is longer than a write is not stored, and later ones are") {
  const testing::TemporaryFolder folder;
  int writes = 0;
  const auto write = [&](int file, const char* bytes, std::size_t size) -> long {
    // Without an end it would repeat writes of nothing.
    if (++writes > 100) return -1;
    return ::write(file, bytes, size);
  };
  {
    Life life(folder, write);
    life.run([&]() -> asio::awaitable<void> {
      auto record = life.record("");
      for (int i = 0; i < 5'000; ++i) record.reads.push_back(record.reads.front());
      life.history.add(0, {"default", "large"}, std::move(record));
      life.history.add(0, kStored, life.record(""));
      co_await life.pass(3s);
    });
    CHECK(writes <= 2);
    CHECK(life.lines.entries.empty());
  }
  const Life next(folder);
  CHECK(next.history.records(0, {"default", "large"}).empty());
  CHECK(next.history.records(0, kStored).size() == 1);
}

TEST_CASE("a write that is slow delays the next one") {
  const testing::TemporaryFolder folder;
  int writes = 0;
  Life* running = nullptr;
  const auto write = [&](int file, const char* bytes, std::size_t size) -> long {
    ++writes;
    running->loop.clock().advance(100ms);
    return ::write(file, bytes, size);
  };
  Life life(folder, write);
  running = &life;

  life.run([&]() -> asio::awaitable<void> {
    for (int i = 0; i < 40; ++i) {
      life.history.add(0, kStored, life.record(""));
      co_await life.pass(1s);
    }
    // 500 times 100 ms.
    CHECK(writes == 1);
  });
}

}  // namespace
}  // namespace keelson::controller
