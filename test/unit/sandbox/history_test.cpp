// The memory of the history and of watches whose clients do not read is bounded in bytes.
#include "src/sandbox/storage/history.hpp"

#include <malloc.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "keelson/detail/net/broken_body.hpp"
#include "keelson/detail/sandbox/limits.hpp"
#include "test/support/sanitizers.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::Talk;

constexpr std::size_t kMebibyte = std::size_t{1} << 20;
constexpr std::size_t kLarge = 900 * 1024;  // as large as a ConfigMap of a real cluster can be, almost

// The bytes that are in use in addition to those at its construction. A sanitizer has its own allocator: none.
class NewBytes {
 public:
  [[nodiscard]] std::size_t count() const {
    const auto now = in_use();
    return KEELSON_SANITIZED == 1 || now < before_ ? 0 : now - before_;
  }

 private:
  static std::size_t in_use() {
    const auto heap = ::mallinfo2();
    return heap.uordblks + heap.hblkhd;
  }
  std::size_t before_ = in_use();
};

std::string large_map(const std::string& name, int number) {
  return R"({"metadata":{"name":")" + name + R"("},"data":{"n":")" + std::to_string(number) + R"(","text":")" +
         std::string(kLarge, 'x') + "\"}}";
}

std::uint64_t put(Talk& talk, const std::string& name, int number) {
  const kube::Key key("default", name);
  auto stored = number == 0
                    ? talk.ask(kube::create(talk.client(), kube::config_maps(), key.ns, large_map(name, number)))
                    : talk.ask(kube::update(talk.client(), kube::config_maps(), key, large_map(name, number)));
  REQUIRE(stored);
  return stored->resource_version();
}

std::unique_ptr<net::Stream> watch_from(Talk& talk, std::uint64_t version) {
  auto request = fixtures::watch_of(kube::config_maps(), {{"resourceVersion", std::to_string(version)}});
  auto stream = talk.ask(talk.client().stream(std::move(request)));
  REQUIRE(stream);
  return *std::move(stream);
}

// Reads events until no more are ready, and returns the number of lines and the reason of the end.
std::pair<std::size_t, std::string> read_all(Talk& talk, net::Stream& stream) {
  std::size_t lines = 0;
  std::string why;
  std::vector<char> buffer(kMebibyte);
  talk.loop.run([&]() -> boost::asio::awaitable<void> {
    for (bool is_open = true; is_open;) {
      auto some = stream.read_some(buffer);
      auto read =
          co_await async::with_timeout(talk.loop.clock(), std::chrono::milliseconds(50), "read", std::move(some));
      if (!read) why = read.error().text;
      is_open = read && *read > 0;
      if (is_open) lines += static_cast<std::size_t>(std::ranges::count(std::string_view(buffer.data(), *read), '\n'));
    }
  });
  return {lines, why};
}

TEST_CASE("the history of large writes is bounded in bytes, and older versions get 410") {
  Talk talk;
  const NewBytes used;
  const auto first = put(talk, "large", 0);
  constexpr int kWrites = 600;  // 527 MiB
  std::uint64_t middle = 0;
  for (int i = 1; i < kWrites; ++i) {
    const auto version = put(talk, "large", i);
    if (i == kWrites - 200) middle = version;
  }
  REQUIRE(talk.ask(kube::remove(talk.client(), kube::config_maps(), kube::Key("default", "large"), {})));

  CHECK(used.count() < limits::kSandboxHistoryBytes + 32 * kMebibyte);
  auto old = watch_from(talk, first);
  CHECK(read_all(talk, *old).first == 1);
  old = watch_from(talk, first);
  CHECK(talk.read_ready(*old).find("\"code\":410") != std::string::npos);
  auto recent = watch_from(talk, middle);
  CHECK(read_all(talk, *recent).first == 200);
}

TEST_CASE("watches that do not read share the bytes of their events") {
  Talk talk;
  const auto first = put(talk, "large", 0);
  std::vector<std::unique_ptr<net::Stream>> watches;
  for (int i = 0; i < 300; ++i) watches.push_back(watch_from(talk, first));
  const NewBytes used;

  for (int i = 1; i <= 150; ++i) put(talk, "large", i);

  CHECK(used.count() < 150 * kLarge + 32 * kMebibyte);
  CHECK(read_all(talk, *watches.front()).first == 150);
  CHECK(read_all(talk, *watches.back()).first == 150);
}

TEST_CASE("if unread events take too much memory, the watch that is the farthest behind breaks") {
  Talk talk;
  const auto first = put(talk, "large", 0);
  auto silent = watch_from(talk, first);
  auto behind = watch_from(talk, first);
  auto reader = watch_from(talk, first);
  const NewBytes used;

  constexpr int kWrites = 700;  // 615 MiB: more than the history and the watches may have together
  std::size_t seen = 0;
  for (int i = 1; i <= kWrites; ++i) {
    put(talk, "large", i);
    if (i == 200) CHECK(read_all(talk, *behind).first == 200);
    if (i % 20 == 0) seen += read_all(talk, *reader).first;
  }

  CHECK(used.count() < limits::kSandboxHistoryBytes + limits::kSandboxWatchBytes + 32 * kMebibyte);
  CHECK(seen == kWrites);
  CHECK(read_all(talk, *silent).second == "unexpected EOF");
  CHECK(read_all(talk, *behind).first == 500);
}

TEST_CASE("a list that its client does not read breaks if its objects take too much memory") {
  fixtures::HttpTalk talk;
  put(talk, "a", 0);
  put(talk, "b", 0);
  auto silent = talk.ask_http("GET", "/api/v1/configmaps");
  REQUIRE(talk.next_piece(silent));
  const NewBytes used;

  for (int i = 1; i <= 350; ++i) put(talk, "b", i);
  auto reader = talk.ask_http("GET", "/api/v1/configmaps");
  REQUIRE(talk.next_piece(reader));
  for (int i = 351; i <= 700; ++i) put(talk, "b", i);  // 615 MiB in all

  CHECK(used.count() < limits::kSandboxHistoryBytes + limits::kSandboxWatchBytes + 32 * kMebibyte);
  CHECK_THROWS_AS(talk.next_piece(silent), net::BrokenBody);
  const auto rest = talk.rest_of(reader);
  REQUIRE(rest.size() == 1);
  CHECK(rest.front().find(R"("n":"350")") != std::string::npos);
}

TEST_CASE("the trees of large objects are bounded in bytes") {
  Talk talk;
  const NewBytes used;
  constexpr int kObjects = 150;
  for (int i = 0; i < kObjects; ++i) put(talk, "large-" + std::to_string(i), 0);
  CHECK(used.count() < kObjects * kLarge + 64 * kMebibyte);
}

TEST_CASE("the continue token of a list expires with the history") {
  Talk talk;
  put(talk, "a", 0);
  put(talk, "b", 0);
  kube::ListOptions options{.ns = "default", .labels = {}, .fields = "", .limit = 1, .continue_token = ""};
  const auto page = talk.ask(kube::list(talk.client(), kube::config_maps(), options));
  REQUIRE(page);
  options.continue_token = page->continue_token;
  REQUIRE(talk.ask(kube::list(talk.client(), kube::config_maps(), options)));

  for (int i = 1; i < 350; ++i) put(talk, "a", i);

  const auto rest = talk.ask(kube::list(talk.client(), kube::config_maps(), options));
  REQUIRE_FALSE(rest);
  CHECK(kube::is_gone(rest.error()));
}

TEST_CASE("a watch that ends with unread events sends those, and none of later writes") {
  Talk talk;
  const auto first = put(talk, "large", 0);
  auto stream = watch_from(talk, first);
  put(talk, "large", 1);
  put(talk, "large", 2);
  talk.server.end_watches();
  put(talk, "large", 3);

  CHECK(read_all(talk, *stream) == std::pair<std::size_t, std::string>(2, ""));
}

TEST_CASE("a bookmark follows the events that the client has not read") {
  Talk talk;
  const auto first = put(talk, "large", 0);
  auto request = fixtures::watch_of(kube::config_maps(),
                                    {{"resourceVersion", std::to_string(first)}, {"allowWatchBookmarks", "true"}});
  auto stream = talk.ask(talk.client().stream(std::move(request)));
  REQUIRE(stream);
  put(talk, "large", 1);
  talk.pass(std::chrono::minutes(2));
  put(talk, "large", 2);

  std::string types;
  for (;;) {
    const auto text = talk.read_ready(**stream);
    if (text.find("no answer within") != std::string::npos) break;
    constexpr std::string_view kType = "{\"type\":\"";
    for (auto at = text.find(kType); at != std::string::npos; at = text.find(kType, at + 1)) {
      types += text[at + kType.size()];
    }
  }
  CHECK(types == "MBM");
}

TEST_CASE("a chain of many writes is released without recursion") {
  Kinds kinds;
  const auto* kind = kinds.find(kube::config_maps());
  auto object = kube::Object::from_json(R"({"metadata":{"name":"a"}})");
  REQUIRE(object);
  History history;
  std::optional<History::Place> place = history.end();

  constexpr std::uint64_t kWrites = 1'000'000;
  for (std::uint64_t i = 1; i <= kWrites; ++i) history.record({i, kind, std::nullopt, *object});

  CHECK(history.since(kWrites - limits::kSandboxHistory)->size() == limits::kSandboxHistory);
  CHECK_FALSE(history.since(kWrites - limits::kSandboxHistory - 1));
  CHECK(history.bytes_of_places() > 0);
  CHECK(place->change()->version == 1);
  place.reset();
  CHECK(history.bytes_of_places() == 0);
}

}  // namespace
}  // namespace keelson::sandbox
