#include "src/program/metrics_policy.hpp"

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>

using namespace keelson;
using namespace keelson::program;
using Serve = MetricsPolicy::Serve;

namespace {

struct MetricsEnvironment {
  std::map<std::string, std::string> variables;
  std::set<std::string> files;

  [[nodiscard]] MetricsPolicy plan(const Options& options) const {
    ProcessEnvironment around;
    around.environment = [this](const std::string& name) -> std::optional<std::string> {
      auto found = variables.find(name);
      return found == variables.end() ? std::nullopt : std::optional(found->second);
    };
    around.exists = [this](const std::string& path) { return files.contains(path); };
    return decide_metrics(options, around);
  }
};

Options at(std::string bind_address, std::optional<bool> secure = std::nullopt) {
  Options options;
  options.metrics_bind_address = std::move(bind_address);
  options.metrics_secure = secure;
  return options;
}

}  // namespace

TEST_CASE("without --metrics-secure the address determines whether metrics are secure") {
  const std::map<std::string, Serve> cases{
      {":8080", Serve::kPlain},
      {"127.0.0.1:8080", Serve::kPlain},
      {"127.1.2.3:9", Serve::kPlain},
      {"localhost:8080", Serve::kPlain},
      {"[::1]:8080", Serve::kPlain},
      {":8443", Serve::kSecure},
      {"0.0.0.0:8080", Serve::kSecure},
      {"[::]:8080", Serve::kSecure},
      {"10.0.0.1:8080", Serve::kSecure},
      {"pod.example:8080", Serve::kSecure},
      {"0", Serve::kOff},
      {"", Serve::kOff},
  };
  for (const auto& [address, serve] : cases) {
    INFO(address);
    CHECK(MetricsEnvironment().plan(at(address)).serve == serve);
  }
}

TEST_CASE("the flag --metrics-secure decides for every address, and an endpoint that is off stays off") {
  for (const char* address : {":8080", "127.0.0.1:0", ":8443"}) {
    INFO(address);
    CHECK(MetricsEnvironment().plan(at(address, true)).serve == Serve::kSecure);
    CHECK(MetricsEnvironment().plan(at(address, false)).serve == Serve::kPlain);
  }
  CHECK(MetricsEnvironment().plan(at("0", true)).serve == Serve::kOff);
}

TEST_CASE("a line is logged when metrics are secure without the flag") {
  CHECK(MetricsEnvironment().plan(at(":8443")).notices ==
        std::vector<std::string>{"Serving metrics over HTTPS to authorized clients only: --metrics-secure is not "
                                 "set, and other machines can reach :8443"});
  CHECK(MetricsEnvironment().plan(at(":8443", true)).notices.empty());
  CHECK(MetricsEnvironment().plan(at(":8080")).notices.empty());
}

TEST_CASE("a given folder is used, whether or not its files exist") {
  auto options = at(":8443");
  options.metrics_cert_path = "/certs";
  options.metrics_cert_name = "a.crt";
  options.metrics_cert_key = "a.key";

  auto plan = MetricsEnvironment().plan(options);

  REQUIRE(plan.files.has_value());
  CHECK(plan.files->certificate == "/certs/a.crt");
  CHECK(plan.files->key == "/certs/a.key");
  CHECK(plan.files->client_ca.empty());
}

TEST_CASE("controller-runtime's folder is used if it has a pair, and otherwise a certificate in memory") {
  MetricsEnvironment world;
  world.variables["TMPDIR"] = "/t";
  CHECK_FALSE(world.plan(at(":8443")).files.has_value());
  world.files.insert("/t/k8s-metrics-server/serving-certs/tls.crt");
  CHECK_FALSE(world.plan(at(":8443")).files.has_value());
  world.files.insert("/t/k8s-metrics-server/serving-certs/tls.key");

  auto plan = world.plan(at(":8443"));

  REQUIRE(plan.files.has_value());
  CHECK(plan.files->key == "/t/k8s-metrics-server/serving-certs/tls.key");
}

TEST_CASE("a certificate flag without an effect is logged") {
  auto options = at(":8080");
  options.metrics_cert_path = "/certs";

  auto plan = MetricsEnvironment().plan(options);

  CHECK(plan.serve == Serve::kPlain);
  CHECK_FALSE(plan.files.has_value());
  REQUIRE(plan.notices.size() == 1);
  CHECK(plan.notices.front().starts_with("--metrics-cert-path has no effect"));
}

TEST_CASE("metrics are open only if they are served without protection to other machines") {
  CHECK(MetricsEnvironment().plan(at(":8080")).is_open);
  CHECK(MetricsEnvironment().plan(at("0.0.0.0:9090", false)).is_open);
  CHECK_FALSE(MetricsEnvironment().plan(at("127.0.0.1:8080")).is_open);
  CHECK_FALSE(MetricsEnvironment().plan(at("localhost:8080")).is_open);
  CHECK_FALSE(MetricsEnvironment().plan(at(":8080", true)).is_open);
  CHECK_FALSE(MetricsEnvironment().plan(at(":8443")).is_open);
  CHECK_FALSE(MetricsEnvironment().plan(at("0")).is_open);
}
