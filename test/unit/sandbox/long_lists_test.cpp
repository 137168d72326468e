// Lists, and initial events of watches, that are too long for a single piece.
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "keelson/detail/sandbox/limits.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

constexpr std::size_t kObjects = 400;
constexpr std::size_t kObjectBytes = 1000;

struct LongList : fixtures::HttpTalk {
  LongList() {
    for (std::size_t i = 0; i < kObjects; ++i) {
      auto filler = R"(,"annotations":{"filler":")" + std::string(kObjectBytes, 'x') + R"("})";
      REQUIRE(create_map("map-" + std::to_string(1000 + i), filler));
    }
  }
};

std::string joined(const std::vector<std::string>& pieces) {
  std::string all;
  for (const auto& piece : pieces) all += piece;
  return all;
}

TEST_CASE("a long list is sent in pieces, all with the state at one version") {
  LongList talk;
  auto reply = talk.ask_http("GET", "/api/v1/configmaps");
  REQUIRE(reply.streaming);
  std::vector<std::string> pieces{*talk.next_piece(reply)};
  REQUIRE(talk.ask(kube::remove(talk.client(), kube::config_maps(), {"default", "map-1399"}, {})));
  REQUIRE(talk.create_map("new"));
  for (auto& piece : talk.rest_of(reply)) pieces.push_back(std::move(piece));

  CHECK(pieces.size() >= kObjects * kObjectBytes / (limits::kSandboxPieceBytes + 2 * kObjectBytes));
  for (const auto& piece : pieces) CHECK(piece.size() < limits::kSandboxPieceBytes + 3 * kObjectBytes);
  auto list = Tree::parse(joined(pieces));
  REQUIRE(list);
  CHECK(list->text_at({"kind"}) == "ConfigMapList");
  const auto& items = list->find("items")->items();
  REQUIRE(items.size() == kObjects);
  for (std::size_t i = 0; i < kObjects; ++i) {
    CHECK(items[i].text_at({"metadata", "name"}) == "map-" + std::to_string(1000 + i));
  }
}

TEST_CASE("in every form, a long list in pieces equals its pages") {
  LongList talk;
  for (const char* form : {"", ";as=Table;v=v1;g=meta.k8s.io", ";as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"}) {
    CAPTURE(form);
    auto accept = std::string("application/json") + form;
    auto list = talk.json("/api/v1/configmaps", {{"Accept", accept}});
    const char* member = list.find("rows") != nullptr ? "rows" : "items";
    std::vector<Tree> paged;
    std::string token;
    do {
      auto page = talk.json("/api/v1/configmaps?limit=20&continue=" + token, {{"Accept", accept}});
      REQUIRE(page.find(member) != nullptr);
      for (const auto& item : page.find(member)->items()) paged.push_back(item);
      token = page.text_at({"metadata", "continue"});
    } while (!token.empty());
    CHECK(list.find(member)->items() == paged);
    CHECK(paged.size() == kObjects);
  }
}

TEST_CASE("the pages of a list contain all objects, and the number of remaining ones") {
  LongList talk;
  auto page = talk.json("/api/v1/configmaps?limit=150");
  CHECK(page.find("items")->items().size() == 150);
  CHECK(page.integer_at({"metadata", "remainingItemCount"}) == kObjects - 150);
  REQUIRE(talk.create_map("new"));
  page = talk.json("/api/v1/configmaps?limit=150&continue=" + page.text_at({"metadata", "continue"}));
  CHECK(page.integer_at({"metadata", "remainingItemCount"}) == kObjects - 300);
  page = talk.json("/api/v1/configmaps?limit=150&continue=" + page.text_at({"metadata", "continue"}));
  CHECK(page.find("items")->items().size() == kObjects - 300);
  CHECK(page.at({"metadata", "continue"}) == nullptr);
  CHECK(page.at({"metadata", "remainingItemCount"}) == nullptr);
}

TEST_CASE("a watch that starts with many objects sends them in pieces, and then the changes since its start") {
  LongList talk;
  auto reply = talk.ask_http("GET",
                             "/api/v1/configmaps?watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan"
                             "&allowWatchBookmarks=true&timeoutSeconds=5");
  REQUIRE(reply.streaming);
  std::vector<std::string> pieces{*talk.next_piece(reply)};
  REQUIRE(talk.create_map("new"));
  for (auto& piece : talk.rest_of(reply)) pieces.push_back(std::move(piece));

  CHECK(pieces.size() >= kObjects * kObjectBytes / (limits::kSandboxPieceBytes + 2 * kObjectBytes));
  std::vector<std::string> events;
  for (const auto& piece : pieces) {
    CHECK(piece.size() < limits::kSandboxPieceBytes + 3 * kObjectBytes);
    REQUIRE(piece.ends_with("\n"));
    for (std::size_t begin = 0; begin < piece.size();) {
      auto end = piece.find('\n', begin);
      auto event = Tree::parse(piece.substr(begin, end - begin));
      REQUIRE(event);
      events.push_back(event->text_at({"type"}) + " " + event->text_at({"object", "metadata", "name"}));
      begin = end + 1;
    }
  }
  REQUIRE(events.size() >= kObjects + 2);
  for (std::size_t i = 0; i < kObjects; ++i) CHECK(events[i] == "ADDED map-" + std::to_string(1000 + i));
  CHECK(events[kObjects] == "BOOKMARK ");
  CHECK(events[kObjects + 1] == "ADDED new");
}

TEST_CASE("a list at an exact version has the objects of that version, or is too old") {
  fixtures::HttpTalk talk;
  REQUIRE(talk.create_map("a"));
  auto version = talk.ask(kube::get(talk.client(), kube::config_maps(), {"default", "a"}))->resource_version();
  REQUIRE(talk.ask(kube::remove(talk.client(), kube::config_maps(), {"default", "a"}, {})));
  REQUIRE(talk.create_map("b"));
  auto names = [&](const std::string& query) {
    std::string text;
    auto list = talk.json("/api/v1/namespaces/default/configmaps?" + query);
    if (list.find("items") == nullptr) return list.text_at({"reason"}) + ": " + list.text_at({"message"});
    for (const auto& item : list.find("items")->items()) {
      text += item.text_at({"metadata", "name"}) + "@" + item.text_at({"metadata", "resourceVersion"}) + " ";
    }
    return text + "of " + list.text_at({"metadata", "resourceVersion"});
  };
  auto then = std::to_string(version);
  auto now = std::to_string(version + 2);
  CHECK(names("resourceVersion=" + then) == "b@" + now + " of " + now);
  CHECK(names("resourceVersion=" + then + "&resourceVersionMatch=NotOlderThan") == "b@" + now + " of " + now);
  CHECK(names("resourceVersion=" + then + "&resourceVersionMatch=Exact") == "a@" + then + " of " + then);
  CHECK(names("resourceVersion=" + then + "&limit=5") == "a@" + then + " of " + then);
  CHECK(names("resourceVersion=0&limit=5") == "b@" + now + " of " + now);
  talk.server.compact();
  CHECK(names("resourceVersion=" + then + "&resourceVersionMatch=Exact") ==
        "Expired: The resourceVersion for the provided list is too old.");
}

}  // namespace
}  // namespace keelson::sandbox
