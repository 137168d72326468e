// The cost of a large review with any content: memory, turns of the loop, and bytes of the answer.
#include <algorithm>
#include <boost/asio/this_coro.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cstdlib>

#include "keelson/async/task_group.hpp"
#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/webhook/limits.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"
#include "src/webhook/review_limits.hpp"
#include "test/support/count_bytes.hpp"
#include "test/unit/webhook/fixture.hpp"
#include "test/unit/webhook/loaf.hpp"

namespace {

using namespace keelson;
using namespace keelson::testing;

// Sanitizers take several times as long, and memory is not counted with them.
constexpr std::size_t kLarge = KEELSON_SANITIZED ? 1'500'000 : 7'000'000;

// The size of the largest small review, less the parts around an attack.
constexpr std::size_t kSmall = webhook::kLargeReviewBytes - 2048;

// The size of each of two lists: above the limit of a defaulter's patch (512 KiB), because otherwise the patch alone
// exceeds the bound.
constexpr std::size_t list_bytes(std::size_t size) {
  return size < kLarge ? size / 2 - 64 : std::max<std::size_t>(size / 5, 600'000);
}

std::string repeated(std::string_view piece, std::size_t bytes) {
  std::string text;
  text.reserve(bytes + piece.size());
  while (text.size() < bytes) text += piece;
  return text;
}

std::string list_of(std::string_view item, std::size_t bytes) {
  return "[" + repeated(std::string(item) + ",", bytes) + std::string(item) + "]";
}

// An attack: a review with most of its bytes in a single place.
enum class Reads { kLittle, kMuch };
struct Attack {
  const char* name;
  std::string body;
  Reads reads = Reads::kLittle;
};

std::vector<Attack> attacks(const std::size_t size) {
  const auto of_spec = [](const std::string& spec) { return review("CREATE", toast(spec)); };
  const auto in_metadata = [](const std::string& member) {
    auto body = review("CREATE", toast(R"({"slices":1})"));
    const std::string_view before = R"("metadata":{)";
    return body.insert(body.find(before) + before.size(), member + ",");
  };
  // After the request's own members, because the last of duplicate members counts.
  const auto in_request = [](const std::string& member) {
    auto body = review("CREATE", toast(R"({"slices":1})"));
    return body.insert(body.size() - 2, "," + member);
  };
  const auto of_two = [size](std::size_t list) {
    const auto toppings = R"({"toppings":)" + list_of("{}", list);
    return review("UPDATE", toast(toppings + R"(,"future":")" + std::string(size - 2 * list, 'f') + R"("})"),
                  toast(toppings + "}"));
  };
  return {
      {"a list that nothing reads", of_spec(R"({"slices":1,"future":)" + list_of("0", size) + "}")},
      {"objects that nothing reads", of_spec(R"({"slices":1,"future":)" + list_of(R"({"":{}})", size) + "}")},
      {"managed fields", in_metadata(R"("managedFields":)" + list_of(R"({"f:a":{}})", size))},
      {"a text that is read", of_spec(R"({"browning":")" + std::string(size, 'b') + R"("})"), Reads::kMuch},
      {"a text of escapes that is read", of_spec(R"({"browning":")" + repeated("\\u0001", size) + R"("})"),
       Reads::kMuch},
      {"a list where a number should be", of_spec(R"({"slices":)" + list_of("0", size) + "}")},
      {"a name", review("CREATE", toast(R"({"slices":1})", std::string(size, 'n')))},
      {"a uid", in_request(R"("uid":")" + std::string(size, 'u') + "\"")},
      {"an operation", in_request(R"("operation":")" + std::string(size, 'o') + "\"")},
      {"groups", in_request(R"("userInfo":{"groups":)" + list_of("\"\"", size) + "}"), Reads::kMuch},
      {"extra", in_request(R"("userInfo":{"extra":{"a":)" + list_of("\"\"", size) + "}}")},
      {"a resource", in_request(R"("resource":)" + list_of("{}", size))},
      {"a value that is not an object", review("CREATE", list_of("{}", size))},
      {"an object of another kind",
       review("CREATE", R"({"apiVersion":")" + std::string(size, 'v') + R"(","kind":"Toast"})")},
      {"a kind of review", R"({"apiVersion":"v1","kind":")" + std::string(size, 'k') + R"("})"},
      {"spaces", std::string(size, ' ') + review("CREATE", toast(R"({"slices":1})"))},
      {"digits", of_spec(R"({"slices":)" + std::string(size, '1') + "}")},
      {"brackets", std::string(size, '[')},
      {"an escaped member name", of_spec(R"({")" + repeated("\\u0001", size) + R"(":1})")},
      {"a list that is read", of_spec(R"({"toppings":)" + list_of("{}", size) + "}"), Reads::kMuch},
      {"two lists that may be read, and one that is not", of_two(list_bytes(size)), Reads::kMuch},
  };
}

// Counts the turns of the loop while the handler works.
boost::asio::awaitable<void> count_turns(const bool& is_over, std::size_t& turns) {
  while (!is_over) {
    ++turns;
    co_await sandbox::loop::yield();
  }
}

struct Cost {
  std::size_t peak_bytes = 0;
  std::size_t turns = 0;
  std::string reply;
};

Cost cost_of(HandlerFixture& fixture, const char* path, const std::string& body) {
  net::Request request;
  request.method = "POST";
  request.target = path;
  request.headers = {{"Content-Type", "application/json"}};
  request.body = body;
  Cost cost;
  bool is_over = false;
  fixture.loop.run([&]() -> boost::asio::awaitable<void> {
    async::TaskGroup group(co_await boost::asio::this_coro::executor);
    group.spawn(count_turns(is_over, cost.turns));
    const PeakBytes peak;
    auto reply = co_await fixture.handler.serve(std::move(request));
    cost.peak_bytes = peak.bytes();
    cost.reply = std::move(reply.response.body);
    is_over = true;
    co_await group.join();
  });
  return cost;
}

std::string attack_text(const Attack& attack, const char* path, const Cost& cost) {
  return std::string(attack.name) + " to " + path + ": " + std::to_string(cost.peak_bytes / 1024) + " KiB, " +
         std::to_string(cost.turns) + " turns, " + std::to_string(cost.reply.size()) +
         " bytes back: " + cost.reply.substr(0, 300);
}

void check_costs(const char* path, std::vector<webhook::ServedWebhook> webhooks) {
  HandlerFixture fixture(std::move(webhooks));
  for (const auto& attack : attacks(kLarge)) {
    REQUIRE(attack.body.size() >= kLarge);
    REQUIRE(attack.body.size() < limits::kAdmissionBytes);
    // Rejected within the first slice.
    const bool is_read_whole = std::string_view(attack.name) != "brackets" && std::string_view(attack.name) != "digits";
    const auto cost = cost_of(fixture, path, attack.body);
    INFO(attack_text(attack, path, cost));
#if !KEELSON_SANITIZED
    CHECK(cost.peak_bytes <= limits::kServerLargeWorkBytes);
    if (attack.reads == Reads::kLittle) CHECK(cost.peak_bytes <= 1 << 20);
#endif
    if (is_read_whole) CHECK(cost.turns >= kLarge / limits::kDecodeSliceBytes);
    CHECK(cost.reply.size() <= 64 << 10);
    CHECK(json::Document::parse(cost.reply).has_value());
  }
}

}  // namespace

TEST_CASE("a review of 7 MB to a defaulter fits into the servers' budget, yields to the loop, and its reply is small") {
  check_costs(kMutate, toast_webhooks());
}

TEST_CASE(
    "a review of 7 MB of a whole object fits into the servers' budget, yields to the loop, and its reply is small") {
  check_costs(kMutate, whole_toast_webhooks());
  check_costs(kValidate, whole_toast_webhooks());
}

TEST_CASE("a review of 7 MB to a validator fits into the servers' budget, yields to the loop, and its reply is small") {
  check_costs(kValidate, toast_webhooks());
}

TEST_CASE("a small review allocates no more than it reserves") {
  const bool is_whole = GENERATE(false, true);
  HandlerFixture fixture(is_whole ? whole_toast_webhooks() : toast_webhooks());
  for (const char* path : {kMutate, kValidate}) {
    for (const auto& attack : attacks(kSmall)) {
      REQUIRE(attack.body.size() <= webhook::kLargeReviewBytes);
      const auto cost = cost_of(fixture, path, attack.body);
      INFO(attack_text(attack, path, cost));
#if !KEELSON_SANITIZED
      CHECK(cost.peak_bytes <= webhook::small_review_memory(attack.body.size(), path == kMutate));
#endif
      CHECK(json::Document::parse(cost.reply).has_value());
    }
  }
}
