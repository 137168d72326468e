// An operator whose finalizer calls an HTTP service at the address of a flag, as an author tests it: with the service
// as a function of the test, or with a fake net::HttpClient.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <string>
#include <string_view>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/api/core/v1/secret.hpp"
#include "keelson/api/label_selector.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/controller/manager_rules.hpp"
#include "keelson/detail/sandbox/replicas.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "test/support/scripted_http.hpp"
#include "test/support/toy_kinds.hpp"

namespace keelson {
namespace {

using namespace std::chrono_literals;
using controller::controller_for;
using core::v1::ConfigMap;
using core::v1::Secret;

struct LedgerSpec {
  std::string title;
};
void describe(kube::Description& d, LedgerSpec& spec) { d.field("title", spec.title, "The title.").required(); }

struct Ledger : CustomResource<LedgerSpec, testing::ConditionsStatus> {
  static constexpr kube::Identity kIdentity{"books.example.com", "v1", "Ledger"};
};

// Its Secret is made once, and its entry in the archive is removed with it.
class LedgerReconciler {
 public:
  static constexpr std::string_view kFinalizer = "books.example.com/archive";

  explicit LedgerReconciler(controller::Context& context) : archive_(context.flag<std::string>("archive-url")) {}

  [[nodiscard]] Reconciled reconcile(const Ledger& ledger, Pass<Ledger>& pass) {
    Secret secret{.metadata = {.name = ledger.name()}};
    secret.data.emplace("password", pass.secure_random_text(24));
    KEELSON_CO_TRY(co_await pass.create(std::move(secret)));
    is_kept_ = true;
    pass.ready("Kept", "The ledger is kept.");
    co_return done();
  }
  [[nodiscard]] Reconciled finalize(const Ledger& ledger, Pass<Ledger>& pass) {
    if (pass.is_dry_run()) co_return done();
    const auto url = archive_ + "/ledgers?name=" + ledger.name() + "&kept=" + (is_kept_ ? "yes" : "no");
    KEELSON_CO_LET(const auto response, co_await pass.http().remove(url));
    if (response.status == 404) co_return done();
    KEELSON_CO_TRY(net::check_status(response, "remove the ledger from the archive"));
    co_return done();
  }

 private:
  std::string archive_;
  bool is_kept_ = false;  // this process has reconciled a ledger
};

controller::Definition ledger() {
  return controller_for<Ledger, LedgerReconciler>().owns<Secret>().flag<std::string>(
      "archive-url", "https://archive.example.com:8443/v1", "The archive.");
}

const auto kLedgers = kube::resource_of<Ledger>();
const auto kSecrets = kube::resource_of<Secret>();
const kube::Key kMain("default", "main");
constexpr const char* kArchive = "https://archive.example.com:8443";
constexpr const char* kMainLedger =
    "apiVersion: books.example.com/v1\nkind: Ledger\nmetadata: {name: main}\nspec: {title: Main}\n";

std::string stalled_message(const sandbox::SimulatedCluster& cluster) {
  const auto document = cluster.get(kLedgers, kMain);
  for (const auto condition : document.root().at({"status", "conditions"}).items()) {
    if (condition.find("type").string() != "Stalled" || condition.find("status").string() != "True") continue;
    return std::string(condition.find("message").string().value_or(""));
  }
  return {};
}

struct LedgerCluster : sandbox::SimulatedCluster {
  explicit LedgerCluster(controller::Definition definition = ledger(), sandbox::ClusterOptions options = {})
      : SimulatedCluster(std::move(definition), std::move(options)) {}

  void begin() {
    REQUIRE(start_manager());
    REQUIRE(create(kLedgers, "default", kMainLedger));
    REQUIRE(eventually([&] { return !get(kSecrets, kMain).root().is_null(); }));
    pass(1s);
  }
  bool is_gone() { return get(kLedgers, kMain).root().is_null(); }
  std::string password() {
    return std::string(get(kSecrets, kMain).root().at({"data", "password"}).string().value_or(""));
  }
};

TEST_CASE("a finalizer of a class calls a service at the address of a flag, with the state of its reconciler") {
  LedgerCluster cluster;
  cluster.flags["archive-url"] = std::string("https://archive.example.com:8443/v2");
  cluster.http.serve(kArchive, [](const net::Request&) { return net::text_response(200, "removed\n"); });
  cluster.begin();
  CHECK(cluster.get(kLedgers, kMain).root().at({"metadata", "finalizers"}).text() ==
        R"(["books.example.com/archive"])");

  REQUIRE(cluster.remove(kLedgers, kMain));

  REQUIRE(cluster.eventually([&] { return cluster.is_gone(); }));
  REQUIRE(cluster.http.requests().size() == 1);
  const auto& received = cluster.http.requests().front();
  CHECK(received.request.method == "DELETE");
  CHECK(received.url == "https://archive.example.com:8443/v2/ledgers?name=main&kept=yes");
  CHECK(net::header(received.request.headers, "User-Agent") == "keelson");
}

TEST_CASE("an object stays until its finalizer has succeeded, and its status names the service that fails") {
  LedgerCluster cluster;
  int failures = 100;
  cluster.http.serve(kArchive, [&failures](const net::Request&) {
    return failures-- > 0 ? net::text_response(503, "the archive is read-only\n") : net::text_response(404, "");
  });
  cluster.begin();
  REQUIRE(cluster.remove(kLedgers, kMain));

  REQUIRE(cluster.eventually([&] { return !stalled_message(cluster).empty(); }));
  CHECK(stalled_message(cluster) ==
        "remove the ledger from the archive: 503 Service Unavailable: the archive is read-only");
  failures = 0;

  CHECK(cluster.eventually([&] { return cluster.is_gone(); }, 30min));
}

TEST_CASE("a service that hangs, is gone or was never there is named in the status, and its return ends the wait") {
  struct Row {
    const char* what;
    void (*break_service)(sandbox::HttpServers&);
    const char* message;
  };
  constexpr const char* kUrl = "https://archive.example.com:8443/v1/ledgers?name=main&kept=yes";
  const Row rows[] = {
      {"hangs", [](sandbox::HttpServers& http) { http.hang(kArchive); }, "no answer within 30s"},
      {"is gone", [](sandbox::HttpServers& http) { http.stop(kArchive); }, "connection refused"},
      {"was never there", [](sandbox::HttpServers&) {}, "the test does not serve it"},
  };
  for (const auto& row : rows) {
    INFO(row.what);
    LedgerCluster cluster;
    row.break_service(cluster.http);
    cluster.begin();
    REQUIRE(cluster.remove(kLedgers, kMain));

    REQUIRE(cluster.eventually([&] { return !stalled_message(cluster).empty(); }));
    CHECK(stalled_message(cluster).find(kUrl) != std::string::npos);
    CHECK(stalled_message(cluster).find(row.message) != std::string::npos);
    cluster.http.serve(kArchive, [](const net::Request&) { return net::text_response(200, ""); });
    CHECK(cluster.eventually([&] { return cluster.is_gone(); }, 30min));
  }
}

TEST_CASE("a crash after each request of a finalizer leaves no object behind") {
  LedgerCluster cluster;
  cluster.http.serve(
      kArchive, [](const net::Request&) { return net::text_response(200, ""); }, 1s);
  cluster.begin();
  REQUIRE(cluster.remove(kLedgers, kMain));
  cluster.pass(500ms);  // the request is on its way

  cluster.crash_manager();
  CHECK_FALSE(cluster.is_gone());
  REQUIRE(cluster.start_manager());

  CHECK(cluster.eventually([&] { return cluster.is_gone(); }));
}

TEST_CASE("a dry run sends no request that changes something, and says so if the operator forgets to ask") {
  class Forgetful {
   public:
    explicit Forgetful(controller::Context&) {}
    [[nodiscard]] Reconciled reconcile(const Ledger& object, Pass<Ledger>& pass) {
      KEELSON_CO_TRY(co_await pass.http().get("https://archive.example.com:8443/"));
      KEELSON_CO_TRY(co_await pass.http().post("https://archive.example.com:8443/", object.spec.title));
      co_return done();
    }
  };
  LedgerCluster cluster(controller_for<Ledger, Forgetful>());
  cluster.http.serve(kArchive, [](const net::Request&) { return net::text_response(200, ""); });
  cluster.is_dry_run = true;
  REQUIRE(cluster.start_manager());

  REQUIRE(cluster.create(kLedgers, "default", kMainLedger));
  cluster.pass(1min);

  REQUIRE(cluster.http.requests().size() == 1);
  CHECK(cluster.http.requests().front().request.method == "GET");
  CHECK(std::ranges::any_of(cluster.sink.entries(), [](const auto& line) {
    return line.error.find(
               "POST https://archive.example.com:8443/ was not sent: a dry run changes nothing outside of "
               "the cluster either; ask pass.is_dry_run() before the request") != std::string::npos;
  }));
}

// A fake of a service that knows one title.
class TitleService final : public net::HttpClient {
 public:
  Task<net::Response> send(net::Request request, net::CallOptions) override {
    const bool is_known = request.target == "/titles/Main";
    co_return net::text_response(is_known ? 200 : 404, is_known ? "It is a title." : "");
  }
  Task<std::unique_ptr<net::Stream>> open(net::Request, net::CallOptions) override {
    co_return invalid_error("the fake has no streams");
  }
  void close_idle() override {}
  void end_streams() override {}
};

TEST_CASE("a factory gives a reconciler what its test injects, once for each start of the manager") {
  class Reporting {
   public:
    Reporting(controller::Context& context, std::shared_ptr<net::HttpClient> client, int& made)
        : log_(context.log), client_(std::move(client)) {
      ++made;
    }
    Reporting(const Reporting&) = delete;  // the factory's result is not moved
    Reporting& operator=(const Reporting&) = delete;

    [[nodiscard]] Reconciled reconcile(const Ledger& object, Pass<Ledger>& pass) {
      net::Request request;
      request.target = "/titles/" + object.spec.title;
      KEELSON_CO_LET(const auto response, co_await client_->send(std::move(request), net::CallOptions()));
      log_.info("Reported");
      pass.ready("Reported", response.body);
      co_return done();
    }

   private:
    Logger log_;
    std::shared_ptr<net::HttpClient> client_;
  };
  const auto client = std::make_shared<TitleService>();
  int made = 0;
  LedgerCluster cluster(controller_for<Ledger>(
      [&client, &made](controller::Context& context) { return Reporting(context, client, made); }));
  REQUIRE(cluster.start_manager());

  REQUIRE(cluster.create(kLedgers, "default", kMainLedger));

  CHECK(cluster.eventually([&] {
    const auto document = cluster.get(kLedgers, kMain);
    return document.root().at({"status", "conditions"}).text().find("It is a title.") != std::string::npos;
  }));
  CHECK(made == 1);
  cluster.crash_manager();
  REQUIRE(cluster.start_manager());
  CHECK(made == 2);
}

TEST_CASE("a test replaces the HTTP client of one origin by a fake") {
  LedgerCluster cluster;
  testing::ScriptedHttpClient fake(cluster.loop.clock());
  fake.expect("DELETE", "/v1/ledgers?name=main&kept=yes").replies(200, "");
  cluster.http.serve(kArchive, fake);
  cluster.begin();

  REQUIRE(cluster.remove(kLedgers, kMain));

  CHECK(cluster.eventually([&] { return cluster.is_gone(); }));
  fake.verify();
}

TEST_CASE("a password is made once, is different for each object, and follows from the seed of the simulation") {
  LedgerCluster first;
  first.begin();
  const auto password = first.password();
  REQUIRE(password.size() == 32);  // base64 of 24 characters
  REQUIRE(first.patch(kLedgers, kMain, "spec: {title: Other}"));
  first.crash_manager();
  REQUIRE(first.start_manager());
  first.pass(1h);
  CHECK(first.password() == password);
  REQUIRE(first.create(kLedgers, "default",
                       "apiVersion: books.example.com/v1\nkind: Ledger\nmetadata: {name: second}\nspec: {title: b}\n"));
  REQUIRE(first.eventually([&] { return !first.get(kSecrets, {"default", "second"}).root().is_null(); }));
  CHECK(first.get(kSecrets, {"default", "second"}).root().at({"data", "password"}).string() != password);

  LedgerCluster same;
  same.begin();
  CHECK(same.password() == password);
  LedgerCluster other(ledger(), {.seed = 2});
  other.begin();
  CHECK(other.password() != password);
}

boost::asio::awaitable<void> remove_main(kube::Client& client) {
  const auto removed = co_await kube::remove<Ledger>(client, kMain);
  REQUIRE(removed);
}

TEST_CASE("a request that changes something is not sent once the replica may no longer lead") {
  sandbox::Replicas replicas({ledger()});
  int removals = 0;
  const auto count = [&removals](const net::Request&) {
    ++removals;
    return net::text_response(200, "");
  };
  replicas.http.serve(kArchive, count, 25s);  // such as a server whose connection is set up slowly
  REQUIRE(replicas.eventually([&] { return replicas.leaders() == 1; }));
  REQUIRE(replicas.create(kLedgers, "default", kMainLedger));
  replicas.pass(5s);
  auto& leader = replicas.at(replicas.at(0).leads() ? 0 : 1);
  REQUIRE(leader.leads());
  replicas.loop.run(remove_main(replicas.server.client("user")));
  replicas.pass(1s);

  leader.pause();  // its request is on its way, and it does not renew its lease any more
  replicas.pass(30s);
  CHECK_FALSE(leader.may_write());
  CHECK(removals == 0);

  // The other replica has acquired the lease, and its request arrives.
  replicas.pass(30s);
  CHECK(removals == 1);
  CHECK(replicas.server.objects(kLedgers).empty());
}

TEST_CASE("a class with kFinalizer and a Finalizer, and a finalizer without a domain, are mistakes") {
  const auto leave = [](const Ledger&, Pass<Ledger>&) -> Reconciled { co_return done(); };
  const auto mistake_of = [](auto declare) -> std::string {
    try {
      static_cast<void>(declare());
    } catch (const base::Misuse& mistake) {
      return mistake.what();
    }
    return "none";
  };

  CHECK(
      mistake_of([&] {
        return controller_for<Ledger, LedgerReconciler>(Finalizer<Ledger>{"books.example.com/other", leave});
      }) ==
      "the reconciler class declares the finalizer books.example.com/archive with kFinalizer, and controller_for gets "
      "a Finalizer books.example.com/other: remove one of them");
  CHECK(mistake_of([&] {
          return controller_for<Ledger>(leave, Finalizer<Ledger>{"archive", leave});
        }) ==
        "controller ledger: the finalizer \"archive\" is not a qualified name: write a domain of your own, a slash and "
        "a name, for example \"example.com/archive\"");
}

}  // namespace
}  // namespace keelson
