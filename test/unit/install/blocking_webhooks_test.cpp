// Which webhook configurations block the removal of finalizers.
#include "src/install/blocking_webhooks.hpp"

#include <catch2/catch_test_macros.hpp>

namespace keelson::install {
namespace {

TEST_CASE("a webhook blocks updates of a kind if it must answer them") {
  const kube::Resource widgets("example.com", "v1", "Widget", "widgets");
  const struct {
    const char* policy;
    const char* group;
    const char* resource;
    const char* operation;
    bool blocks;
  } cases[] = {
      {"Fail", "example.com", "widgets", "UPDATE", true},  {"Fail", "*", "*", "*", true},
      {"Fail", "example.com", "*/*", "UPDATE", true},      {"Ignore", "example.com", "widgets", "UPDATE", false},
      {"Fail", "other.com", "widgets", "UPDATE", false},   {"Fail", "example.com", "gadgets", "UPDATE", false},
      {"Fail", "example.com", "widgets", "CREATE", false}, {"Fail", "example.com", "widgets/status", "UPDATE", false},
  };
  for (const auto& row : cases) {
    const std::string text = std::string(R"({"webhooks":[{"failurePolicy":"Ignore"},{"failurePolicy":")") + row.policy +
                             R"(","clientConfig":{"service":{"path":"/validate-widget"}},"rules":[{"apiGroups":[")" +
                             row.group + R"("],"resources":[")" + row.resource + R"("],"operations":["DELETE",")" +
                             row.operation + R"("]}]}]})";
    INFO(text);
    const auto configuration = json::Document::parse(text);
    REQUIRE(configuration.has_value());
    CHECK(must_answer_updates(configuration->root(), widgets, {"/validate-widget"}) == row.blocks);
    CHECK_FALSE(must_answer_updates(configuration->root(), widgets, {"/validate-gadget"}));
  }
}

TEST_CASE("a webhook of another program does not count, even if it reviews every kind") {
  const kube::Resource widgets("example.com", "v1", "Widget", "widgets");
  const auto configuration_with = [](const std::string& client_config) {
    auto document =
        json::Document::parse(R"({"webhooks":[{"clientConfig":)" + client_config +
                              R"(,"rules":[{"apiGroups":["*"],"resources":["*/*"],"operations":["*"]}]}]})");
    REQUIRE(document.has_value());
    return std::move(*document);
  };
  const std::vector<std::string> paths{"/validate-widget"};

  CHECK_FALSE(must_answer_updates(configuration_with(R"({"service":{"path":"/validate"}})").root(), widgets, paths));
  CHECK_FALSE(must_answer_updates(configuration_with(R"({"url":"https://10.0.0.1/policy"})").root(), widgets, paths));
  CHECK(must_answer_updates(configuration_with(R"({"url":"https://10.0.0.1:9443/validate-widget"})").root(), widgets,
                            paths));
}

}  // namespace
}  // namespace keelson::install
