// The controllers with --dry-run: every write is a dry run, differences are logged, and nothing loops.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <map>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/kube/dry_run.hpp"
#include "src/kinds/cronjob/cronjob.hpp"
#include "src/kinds/hikawa/hikawa.hpp"
#include "src/kinds/memcached/memcached.hpp"
#include "test/sim/cluster_with_user.hpp"
#include "test/sim/every_kind.hpp"
#include "test/support/toy_kinds.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;
using core::v1::ConfigMap;

constexpr auto kWouldChange = "Dry run: the object would change";
constexpr auto kWouldBeCreated = "Dry run: the object would be created";

struct DryWorld : ClusterWithUser {
  explicit DryWorld(controller::Definition definition, sandbox::ApiServerOptions options = {})
      : ClusterWithUser(7, std::move(definition), options) {}

  void start_dry_run() {
    server.clear_log();
    sink.clear();
    version = server.resource_version();
    is_dry_run = true;
    start_manager();
  }
  [[nodiscard]] std::size_t writes_of_manager() const {
    return count([](const auto&) { return true; });
  }
  [[nodiscard]] std::size_t real_writes() const {
    return count([](const sandbox::RequestInfo& request) { return !request.is_dry_run; });
  }
  [[nodiscard]] std::size_t count(const std::function<bool(const sandbox::RequestInfo&)>& fits) const {
    const auto log = server.log();
    return static_cast<std::size_t>(std::ranges::count_if(
        log, [&](const auto& request) { return request.user == "manager" && request.is_write() && fits(request); }));
  }
  [[nodiscard]] std::string line(std::string_view message, std::string_view kind) const {
    for (const auto& entry : sink.entries()) {
      const bool is_of_kind = entry.fields.find("kind=\"" + std::string(kind) + "\"") != std::string::npos;
      if (entry.message == message && is_of_kind) return entry.fields;
    }
    return "";
  }
  [[nodiscard]] std::size_t infos(std::string_view message) const {
    return static_cast<std::size_t>(std::ranges::count_if(sink.entries(), [&](const auto& entry) {
      return entry.message == message && entry.level == LogSink::Level::kInfo;
    }));
  }

  std::uint64_t version = 0;
};

const auto kMemcacheds = kube::resource_of<kinds::Memcached>();

std::string memcached(const std::string& name) {
  return "apiVersion: memcached.cache.example.com/v1\nkind: Memcached\nmetadata: {name: " + name +
         "}\nspec: {size: 1}\n";
}

TEST_CASE("a dry run with another default image logs a changed Deployment for each Memcached, and stores nothing") {
  DryWorld world(kinds::memcached());
  world.start_manager();
  for (const auto* name : {"a", "b"}) world.create(kMemcacheds, "default", memcached(name));
  world.pass(1min);
  world.crash_manager();
  world.environment["MEMCACHED_IMAGE"] = "memcached:1.6.40";

  world.start_dry_run();
  world.pass(10min);

  CHECK(world.server.resource_version() == world.version);
  CHECK(world.real_writes() == 0);
  CHECK(world.infos(kWouldChange) == 2);
  const auto line = world.line(kWouldChange, "Deployment");
  CHECK(line.find(R"(containers[memcached].image: \"memcached:1.6-alpine\" -> \"memcached:1.6.40\")") !=
        std::string::npos);
  CHECK(line.find("controller=\"memcached\"") != std::string::npos);
  CHECK(world.sink.count("Reconciler error") == 0);
}

TEST_CASE("a child that a dry run does not change is not contested by another writer") {
  DryWorld world(kinds::memcached());
  world.start_manager();
  world.create(kMemcacheds, "default", memcached("a"));
  world.pass(1min);
  world.crash_manager();
  world.environment["MEMCACHED_IMAGE"] = "memcached:1.6.40";
  world.start_dry_run();
  world.pass(1min);

  for (int i = 0; i < 8; ++i) {
    world.patch(kube::deployments(), kube::Key("default", "a"),
                R"({"spec":{"revisionHistoryLimit":)" + std::to_string(i + 1) + "}}");
    world.pass(5s);
  }

  CHECK(world.writes_of_manager() >= 9);
  CHECK(world.infos(kWouldChange) == 1);
  CHECK(world.sink.count("Another writer changes a child back, updating it less often") == 0);
}

TEST_CASE("no kind with a controller stores anything in a dry run, or repeats its writes for long") {
  for (auto& row : every_kind()) {
    INFO(row.definition.resource().kind);
    const auto resource = row.definition.resource();
    DryWorld world(std::move(row.definition));
    world.create(resource, "default", object_of(resource, row.spec));

    world.start_dry_run();
    world.pass(10min);
    const auto first = world.writes_of_manager();
    world.pass(2h);

    CHECK(first > 0);
    CHECK(first <= 20);
    // A CronJob reports some of its later Jobs.
    CHECK(world.writes_of_manager() <= first + 40);
    CHECK(world.server.resource_version() == world.version);
    CHECK(world.real_writes() == 0);
  }
}

TEST_CASE("a dry run sends no Events") {
  DryWorld world(kinds::memcached());
  world.create(kMemcacheds, "default", memcached("a"));
  world.create(kube::services(), "default",
               "apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {ports: [{port: 80}]}\n");

  world.start_dry_run();
  world.pass(1min);

  CHECK(world.server.objects(kube::events()).empty());
  CHECK(world.sink.count("Dry run: the Event is not sent") > 0);
}

TEST_CASE("in a dry run a Hikawa sings its next word once, although nothing is stored") {
  DryWorld world(kinds::hikawa());
  const auto resource = kube::resource_of<kinds::Hikawa>();
  world.create(resource, "default", object_of(resource, R"({"intervalMillis":10,"numZundokos":3})"));

  world.start_dry_run();
  world.pass(1h);

  CHECK(world.infos(kWouldBeCreated) == 1);
  CHECK(world.line(kWouldBeCreated, "Zundoko").find("one-zundoko-001") != std::string::npos);
  // Its status before the word, and after it.
  CHECK(world.infos(kWouldChange) == 2);
  CHECK(world.writes_of_manager() <= 6);
}

TEST_CASE("in a dry run a CronJob reports the Jobs of later slots, too, and less and less often") {
  DryWorld world(kinds::cronjob());
  const auto resource = kube::resource_of<kinds::CronJob>();
  const std::string pods = R"({"restartPolicy":"Never","containers":[{"name":"c","image":"i:1"}]})";
  world.create(
      resource, "default",
      object_of(resource, R"({"schedule":"* * * * *","jobTemplate":{"spec":{"template":{"spec":)" + pods + "}}}}"));

  world.start_dry_run();
  world.pass(10min);
  const auto jobs = world.infos(kWouldBeCreated);
  world.pass(10h);

  CHECK(jobs >= 5);
  CHECK(jobs <= 11);
  CHECK(world.infos(kWouldBeCreated) <= 60);
  CHECK(world.server.objects(kube::jobs()).empty());
  CHECK(world.real_writes() == 0);
}

struct NoteSpec {
  std::string text;
};
void describe(kube::Description& d, NoteSpec& spec) { d.field("text", spec.text, "The text."); }
struct Note : CustomResource<NoteSpec, ConditionsStatus> {
  static constexpr kube::Identity kIdentity{"demo.example.com", "v1", "Note"};
};

// The number of changes outside of the API server.
int printed = 0;

Reconciled print(const Note& note, Pass<Note>& pass) {
  KEELSON_CO_TRY(co_await pass.apply(ConfigMap{.metadata = {.name = note.name()}, .data = {{"text", note.spec.text}}}));
  if (!pass.is_dry_run()) ++printed;
  pass.ready("Printed", "The note is printed.");
  co_return requeue_after(1s);
}
Reconciled shred(const Note&, Pass<Note>&) { co_return done(); }

const auto kNotes = kube::resource_of<Note>();

controller::Definition notes() {
  return controller_for<Note>(print, Finalizer<Note>{"demo.example.com/paper", shred}).owns<ConfigMap>();
}

TEST_CASE("a dry run does not wait for a finalizer, and the author's code knows that it is one") {
  DryWorld world(notes());
  world.create(kNotes, "default", object_of(kNotes, R"({"text":"hello"})"));
  printed = 0;

  world.start_dry_run();
  world.pass(1h);

  CHECK(world.line(kWouldChange, "Note").find("+ metadata.finalizers: [\\\"demo.example.com/paper\\\"]") !=
        std::string::npos);
  CHECK(!world.line(kWouldBeCreated, "ConfigMap").empty());
  CHECK(printed == 0);
  CHECK(world.server.resource_version() == world.version);
  // Finalizer, ConfigMap and status, and the pass that repeats them.
  CHECK(world.writes_of_manager() == 6);
  CHECK(world.infos(kWouldChange) == 2);
  CHECK(world.infos(kWouldBeCreated) == 1);
}

TEST_CASE("in a dry run a finalizer is not removed, and a deletion is reported once") {
  DryWorld world(notes());
  world.start_manager();
  world.create(kNotes, "default", object_of(kNotes, R"({"text":"hello"})"));
  world.pass(10s);
  world.crash_manager();
  CHECK(printed > 0);
  world.remove(kNotes, kube::Key("default", "one"));

  world.start_dry_run();
  world.pass(1h);

  CHECK(world.writes_of_manager() == 1);
  CHECK(world.line(kWouldChange, "Note").find("- metadata.finalizers") != std::string::npos);
  CHECK_FALSE(world.get(kNotes, kube::Key("default", "one")).root().is_null());
}

TEST_CASE("in a dry run a controller reconciles one object at a time, so that each repeated write has an object") {
  DryWorld world(notes().max_concurrent_reconciles(4));

  world.start_dry_run();
  world.pass(1s);

  const auto& entries = world.sink.entries();
  const auto started = std::ranges::find(entries, "Starting workers", &sandbox::loop::RecordingSink::Entry::message);
  REQUIRE(started != entries.end());
  CHECK(started->fields.ends_with("worker count=1"));
}

TEST_CASE("a rejected write of a dry run is an error of the reconcile") {
  DryWorld world(kinds::memcached());
  world.create(kMemcacheds, "default", memcached("a"));
  Error forbidden(Error::Kind::kStatus, "write");
  forbidden.code = 403;
  forbidden.reason = "Forbidden";
  world.server.fail_next(
      [](const sandbox::RequestInfo& request) { return request.resource == kube::deployments() && request.is_write(); },
      forbidden);

  world.start_dry_run();
  world.pass(1min);

  CHECK(world.sink.count("Reconciler error") == 1);
  CHECK(world.line(kWouldBeCreated, "Deployment").find("name=\"a\"") != std::string::npos);
}

}  // namespace
}  // namespace keelson::testing
