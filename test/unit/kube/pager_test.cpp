#include "keelson/detail/kube/pager.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <optional>
#include <utility>

#include "keelson/detail/async/timeout.hpp"
#include "keelson/sandbox/loop/test_loop.hpp"

namespace keelson::kube {
namespace {

// A list whose pages have these names; the token of a page is its number.
class PagesOfPods final : public Client {
 public:
  explicit PagesOfPods(std::vector<std::vector<std::string>> names) : names_(std::move(names)) {}

  Task<ApiReply> send(ApiRequest request) override {
    const std::map<std::string, std::string> query(request.query.begin(), request.query.end());
    const auto token = query.find("continue");
    const std::size_t number = token == query.end() ? 0 : std::stoul(token->second);
    queries.push_back(token == query.end() ? "" : token->second);
    std::string items;
    for (const auto& name : names_.at(number)) {
      items += (items.empty() ? "" : ",") + (R"({"metadata":{"name":")" + name + "\"}}");
    }
    const auto next = number == last_of_circle ? first_of_circle : number + 1;
    const auto more = next < names_.size() ? R"(,"continue":")" + std::to_string(next) + "\"" : std::string();
    co_return ApiReply{200, R"({"metadata":{"resourceVersion":"42")" + more + R"(},"items":[)" + items + "]}"};
  }
  Task<std::unique_ptr<net::Stream>> stream(ApiRequest) override { co_return invalid_error("not scripted"); }

  std::vector<std::string> queries;  // the continue token of each request
  // Numbers of pages: the last one refers to the first one.
  std::size_t first_of_circle = 0;
  std::optional<std::size_t> last_of_circle;

 private:
  std::vector<std::vector<std::string>> names_;
};

Result<List> next_of(Pager& pager) {
  std::optional<Result<List>> page;
  sandbox::loop::TestLoop loop;
  loop.run(async::detail::store<List>(pager.next(), page));
  return std::move(*page);
}

TEST_CASE("a pager returns the pages that have objects, and then a page without objects") {
  PagesOfPods client({{"a", "b"}, {}, {"c"}});
  Pager pager(client, pods(), {.limit = 2});

  CHECK(next_of(pager).value().items.size() == 2);
  CHECK(next_of(pager).value().items.at(0).name() == "c");
  CHECK(next_of(pager).value().items.empty());
  CHECK(next_of(pager).value().items.empty());
  CHECK(client.queries == std::vector<std::string>{"", "1", "2"});
}

TEST_CASE("the empty page of an empty list has the version of the list") {
  PagesOfPods client({{}});
  Pager pager(client, pods(), {});

  CHECK(next_of(pager).value().resource_version == "42");
}

TEST_CASE("pages that refer to each other in a circle are an error, so that reading a list always ends") {
  struct Circle {
    std::size_t first, last;
    std::size_t requests;  // at most, until the error
  };
  for (const auto [first, last, requests] : {Circle{1, 1, 3}, {1, 2, 9}, {1, 4, 15}, {7, 9, 30}}) {
    CAPTURE(first, last);
    PagesOfPods client(std::vector<std::vector<std::string>>(10, {"a"}));
    client.first_of_circle = first;
    client.last_of_circle = last;
    Pager pager(client, pods(), {});

    auto page = next_of(pager);
    while (page && client.queries.size() < requests) page = next_of(pager);

    REQUIRE_FALSE(page);
    CHECK(page.error().message() == "list pods: the continue token of a page is that of an earlier page");
  }
}

TEST_CASE("the token with which a list begins must not come again") {
  PagesOfPods client({{"a"}, {"b"}});
  client.first_of_circle = 1;
  client.last_of_circle = 1;
  Pager pager(client, pods(), {.continue_token = "1"});

  CHECK_FALSE(next_of(pager));
}

TEST_CASE("a list of many pages has no circle") {
  PagesOfPods client(std::vector<std::vector<std::string>>(300, {"a"}));
  Pager pager(client, pods(), {});

  std::size_t pages = 0;
  for (auto page = next_of(pager); !page.value().items.empty(); page = next_of(pager)) ++pages;

  CHECK(pages == 300);
}

}  // namespace
}  // namespace keelson::kube
