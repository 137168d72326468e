#include "src/controller/history_texts.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::controller {

namespace {

const kube::Key kWeb("default", "web");

}  // namespace

TEST_CASE("a text is stored once") {
  TextTable texts;
  const auto id = texts.id_of("Deployment updated");

  CHECK(texts.id_of("Deployment updated") == id);
  CHECK(texts.id_of("Deployment added") != id);
  CHECK(texts.text_of(id) == "Deployment updated");
}

TEST_CASE("texts beyond the limit of the table are an ellipsis") {
  TextTable texts;
  for (std::size_t i = 0; i < limits::kRecordedTexts; ++i) static_cast<void>(texts.id_of(std::to_string(i)));

  const auto id = texts.id_of("one more");

  CHECK(texts.text_of(id) == "…");
  CHECK(texts.text_of(texts.id_of("17")) == "17");
}

TEST_CASE("the bytes of all texts are limited") {
  TextTable texts;
  const auto text = [](std::size_t number) {
    return std::string(TextTable::kLongestText - 4, 'x') + std::to_string(1000 + number);
  };
  const auto fitting = limits::kRecordedTextBytes / TextTable::kLongestText;
  for (std::size_t i = 0; i < fitting + 100; ++i) static_cast<void>(texts.id_of(text(i)));

  CHECK(texts.text_of(texts.id_of(text(fitting - 2))) == text(fitting - 2));
  CHECK(texts.text_of(texts.id_of(text(fitting + 1))) == "…");
  CHECK(texts.bytes() < limits::kRecordedTextBytes * 3 / 2);
}

TEST_CASE("a text that is too long is an ellipsis and leaves room for others") {
  TextTable texts;
  const std::string longest(TextTable::kLongestText, 'x');

  CHECK(texts.text_of(texts.id_of(longest)) == longest);
  CHECK(texts.text_of(texts.id_of(longest + "x")) == "…");
  const auto bytes = texts.bytes();
  for (int i = 0; i < 1000; ++i) static_cast<void>(texts.id_of(longest + std::to_string(i)));
  CHECK(texts.bytes() == bytes);
  CHECK(texts.text_of(texts.id_of("Deployment updated")) == "Deployment updated");
}

TEST_CASE("objects that fail for the same reason share the text of the error") {
  ErrorTable errors;
  const auto web = errors.add(R"(deployments "web" is forbidden in the namespace "default")", kWeb);
  const auto db = errors.add(R"(deployments "db" is forbidden in the namespace "prod")", kube::Key("prod", "db"));

  CHECK(web == db);
  CHECK(errors.text_of(web, kWeb) == R"(deployments "web" is forbidden in the namespace "default")");
  CHECK(errors.text_of(db, kube::Key("prod", "db")) == R"(deployments "db" is forbidden in the namespace "prod")");
}

TEST_CASE("a new error replaces the least recently used one") {
  ErrorTable errors;
  const auto first = errors.add("first", kWeb);
  const auto second = errors.add("second", kWeb);
  for (std::size_t i = 2; i < limits::kRecordedErrors; ++i) {
    static_cast<void>(errors.add("error " + std::to_string(i), kWeb));
  }
  static_cast<void>(errors.add("first", kWeb));

  const auto next = errors.add("next", kWeb);

  CHECK(errors.text_of(next, kWeb) == "next");
  CHECK(errors.text_of(first, kWeb) == "first");
  CHECK(errors.text_of(second, kWeb).empty());
}

TEST_CASE("the beginning of a long error is stored") {
  ErrorTable errors;
  const auto id = errors.add(std::string(10'000, 'x'), kWeb);

  const auto text = errors.text_of(id, kWeb);

  CHECK(text.size() < limits::kRecordedErrorBytes + 10);
  CHECK(text.ends_with("x…"));
}

}  // namespace keelson::controller
