// `explain` of an operator whose controller throws, hangs, gives up, or writes an object that it does not watch.
#include <catch2/catch_test_macros.hpp>
#include <string>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/process.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

// The operator of operators/tides.cpp with its CRD.
class TideOperator {
 public:
  TideOperator() : log_(folder_.file("tides.log")), port_(free_port()), process_(arguments(), log_) {
    show_when_it_fails(log_);
  }
  TideOperator(const TideOperator&) = delete;
  TideOperator& operator=(const TideOperator&) = delete;
  ~TideOperator() { static_cast<void>(try_kubectl({"delete", "crd", "tides.sea.example.com", "--wait=false"})); }

  [[nodiscard]] std::string explain(const std::string& ns, const std::string& name) const {
    return run({KEELSON_TIDE_OPERATOR, "explain", "tide", ns + "/" + name, "--address", address(), "--output", "json"})
        .text;
  }

 private:
  [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::vector<std::string> arguments() const {
    const auto installed = run({KEELSON_TIDE_OPERATOR, "install"});
    INFO(installed.text);
    REQUIRE(installed.exit_code == 0);
    return {KEELSON_TIDE_OPERATOR, "--metrics-bind-address=0", "--health-probe-bind-address=" + address()};
  }

  TemporaryFolder folder_;
  std::string log_;
  int port_;
  Process process_;
};

}  // namespace

TEST_CASE("explain: exceptions, timeouts, terminal errors, and writes that start no other reconcile") {
  Namespace space;
  const auto& ns = space.name();
  const struct {
    const char* way;
    const char* answer;
    std::string text;
  } cases[] = {
      {"throws", "panic",
       "The last reconcile ended with an exception: panic: the sea is dry [recovered]. It is retried"},
      {"hangs", "timeout",
       "The last reconcile was canceled: the reconcile was canceled after its timeout of 1s. It is retried in "},
      {"gives-up", "terminal",
       "The last reconcile failed: terminal error: there is no such sea. It is not retried until the object changes."},
      {"writes", "wrote",
       "Nothing to do: the last reconcile succeeded. It wrote ConfigMap " + ns +
           "/writes, and the next one begins with a change."},
  };
  const TideOperator tides;

  for (const auto& one : cases) {
    const std::string way = one.way;
    kubectl({"apply", "-n", ns, "-f", "-"},
            "apiVersion: sea.example.com/v1\nkind: Tide\nmetadata: {name: " + way + "}\nspec: {way: " + way + "}\n");
    eventually("the answer is " + std::string(one.answer) + ": " + one.text, [&] {
      return tides.explain(ns, way).find(R"("answer":{"name":")" + std::string(one.answer) + R"(","text":")" +
                                         one.text) != std::string::npos;
    });
  }
}

}  // namespace keelson::testing
