#include "keelson/detail/net/work_memory.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "test/unit/net/fixture.hpp"

using namespace keelson;
using namespace keelson::testing;
using net::WorkMemory;

namespace {

// Reserves, records its name, and holds the reservation until the test releases it.
struct Handlers {
  explicit Handlers(WorkMemory& from) : memory(from) {}
  asio::awaitable<void> work(std::string name, std::size_t bytes) {
    auto reservation = co_await memory.reserve(bytes);
    begun.push_back(name + " " + std::to_string(reservation.bytes()));
    co_await let_go.wait();
  }
  WorkMemory& memory;
  std::vector<std::string> begun;
  async::Notify let_go;
};

}  // namespace

TEST_CASE("work memory is granted in the order of the requests") {
  sandbox::loop::TestLoop loop;
  WorkMemory memory(100);
  Handlers handlers(memory);
  async::TaskGroup group(loop.executor());
  using Begun = std::vector<std::string>;

  group.spawn(handlers.work("first", 80));
  group.spawn(handlers.work("large", 1000));
  group.spawn(handlers.work("small", 10));
  loop.poll();
  CHECK(handlers.begun == Begun{"first 80"});
  CHECK_FALSE(memory.try_reserve(10).has_value());
  CHECK(handlers.let_go.notify_one());
  loop.poll();
  CHECK(handlers.begun == Begun{"first 80", "large 100"});
  CHECK(handlers.let_go.notify_one());
  loop.poll();

  CHECK(handlers.begun == Begun{"first 80", "large 100", "small 10"});
  CHECK(memory.used() == 10);
  CHECK(memory.try_reserve(90).has_value());
  CHECK_FALSE(memory.try_reserve(91).has_value());
  group.stop();
  loop.poll();
  CHECK(memory.used() == 0);
}

TEST_CASE("a handler that is canceled while it waits for memory lets the next one continue") {
  sandbox::loop::TestLoop loop;
  WorkMemory memory(100);
  Handlers handlers(memory);
  async::TaskGroup group(loop.executor());
  async::TaskGroup impatient(loop.executor());

  group.spawn(handlers.work("first", 50));
  impatient.spawn(handlers.work("large", 100));
  group.spawn(handlers.work("small", 50));
  loop.poll();
  CHECK(handlers.begun.size() == 1);
  impatient.stop();
  loop.poll();

  CHECK(handlers.begun == std::vector<std::string>{"first 50", "small 50"});
  group.stop();
  loop.poll();
}

TEST_CASE("a moved reservation is released once") {
  WorkMemory memory(100);
  auto first = memory.try_reserve(60);
  auto second = memory.try_reserve(40);

  *second = std::move(*first);
  CHECK(memory.used() == 60);
  first.reset();
  CHECK(memory.used() == 60);
  second->release();
  second.reset();

  CHECK(memory.used() == 0);
}
