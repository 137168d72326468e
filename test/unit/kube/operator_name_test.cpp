#include "keelson/kube/client.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/base/misuse.hpp"
#include "keelson/detail/kube/limits.hpp"

namespace keelson::kube {
namespace {

TEST_CASE("names and annotations begin with the operator's name, except annotations of keelson") {
  const OperatorName keelson;
  const OperatorName greeter("greeter");

  CHECK(keelson.text() == "keelson");
  CHECK(keelson.with("manager") == "keelson-manager");
  CHECK(keelson.annotation("applied-hash") == "keelson.dev/applied-hash");
  CHECK(OperatorName("keelson").is_keelson());
  CHECK(greeter.with("manager") == "greeter-manager");
  CHECK(greeter.annotation("applied-hash") == "greeter.keelson.dev/applied-hash");
  CHECK_FALSE(greeter.is_keelson());
}

TEST_CASE("a name is a DNS label that begins with a letter, and the longest one fits into the label of a Service") {
  const std::string longest(limits::kOperatorNameBytes, 'a');

  CHECK(OperatorName("a").text() == "a");
  CHECK(OperatorName("a-1").text() == "a-1");
  CHECK(OperatorName(longest).with("webhook-server-cert").size() <= 63);
  for (const auto& name : {std::string(), std::string("A"), std::string("1a"), std::string("-a"), std::string("a-"),
                           std::string("a.b"), std::string("a_b"), longest + "a"}) {
    INFO(name);
    CHECK_THROWS_AS(OperatorName(name), base::Misuse);
  }
}

}  // namespace
}  // namespace keelson::kube
