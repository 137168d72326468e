#include "keelson/detail/kube/pager.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
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
    const auto next = repeats ? number : number + 1;
    const auto more = next < names_.size() ? R"(,"continue":")" + std::to_string(next) + "\"" : std::string();
    co_return ApiReply{200, R"({"metadata":{"resourceVersion":"42")" + more + R"(},"items":[)" + items + "]}"};
  }
  Task<std::unique_ptr<net::Stream>> stream(ApiRequest) override { co_return invalid_error("not scripted"); }

  std::vector<std::string> queries;  // the continue token of each request
  bool repeats = false;              // each page refers to itself

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

TEST_CASE("a page that refers to itself is an error, so that reading a list always ends") {
  PagesOfPods client({{"a"}, {"b"}});
  client.repeats = true;
  Pager pager(client, pods(), {.continue_token = "1"});

  const auto page = next_of(pager);

  REQUIRE_FALSE(page);
  CHECK(page.error().message() == "list pods: the continue token of a page is its own");
}

}  // namespace
}  // namespace keelson::kube
