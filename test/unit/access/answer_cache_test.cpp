#include "src/access/answer_cache.hpp"

#include <catch2/catch_test_macros.hpp>
#include <string>

using namespace keelson;
using namespace keelson::access;
using namespace std::chrono_literals;

namespace {

const async::TimePoint kStart{1h};

tls::Sha256 question(int number) { return tls::sha256(std::to_string(number)); }

std::shared_ptr<const User> user(std::string name) {
  User made;
  made.name = std::move(name);
  return std::make_shared<const User>(std::move(made));
}

}  // namespace

TEST_CASE("the cache returns an answer for its lifetime and no longer") {
  AnswerCache cache({.lifetime = 60s, .answers = 10, .bytes = 100000});
  cache.remember(question(1), user("jane"), kStart);

  REQUIRE(cache.find(question(1), kStart + 60s - 1ns) != nullptr);
  CHECK(cache.find(question(1), kStart)->user->name == "jane");
  CHECK(cache.find(question(1), kStart + 60s) == nullptr);
  CHECK(cache.find(question(2), kStart) == nullptr);
}

TEST_CASE("an answer that is stored again replaces the former one and restarts its lifetime") {
  AnswerCache cache({.lifetime = 60s, .answers = 10, .bytes = 100000});
  cache.remember(question(1), user("jane"), kStart);
  cache.remember(question(1), nullptr, kStart + 30s);

  CHECK(cache.size() == 1);
  CHECK(cache.bytes() == kBytesPerAnswer);
  REQUIRE(cache.find(question(1), kStart + 89s) != nullptr);
  CHECK(cache.find(question(1), kStart + 89s)->user == nullptr);
}

TEST_CASE("at the limit of answers the cache evicts the oldest") {
  AnswerCache cache({.lifetime = 60s, .answers = 3, .bytes = 100000});
  for (int number = 0; number < 5; ++number) cache.remember(question(number), nullptr, kStart);

  CHECK(cache.size() == 3);
  CHECK(cache.find(question(1), kStart) == nullptr);
  CHECK(cache.find(question(2), kStart) != nullptr);
  CHECK(cache.find(question(4), kStart) != nullptr);
}

TEST_CASE(
    "at the limit of bytes the cache evicts as many answers as necessary, and does not store one that is too large") {
  AnswerCache cache({.lifetime = 60s, .answers = 100, .bytes = 4 * kBytesPerAnswer});
  for (int number = 0; number < 4; ++number) cache.remember(question(number), nullptr, kStart);

  cache.remember(question(4), user(std::string(kBytesPerAnswer + 1, 'n')), kStart);
  CHECK(cache.size() == 2);
  CHECK(cache.find(question(3), kStart) != nullptr);
  CHECK(cache.find(question(4), kStart) != nullptr);
  CHECK(cache.bytes() <= 4 * kBytesPerAnswer);

  cache.remember(question(5), user(std::string(4 * kBytesPerAnswer, 'n')), kStart);
  CHECK(cache.find(question(5), kStart) == nullptr);
  CHECK(cache.find(question(4), kStart) != nullptr);
}

TEST_CASE("the cache evicts expired answers first") {
  AnswerCache cache({.lifetime = 60s, .answers = 100, .bytes = 100000});
  for (int number = 0; number < 50; ++number) cache.remember(question(number), nullptr, kStart);

  cache.remember(question(50), nullptr, kStart + 60s);

  CHECK(cache.size() == 1);
  CHECK(cache.bytes() == kBytesPerAnswer);
}
