// deploy/argocd: Argo CD's health of our kinds, computed by a Lua interpreter from statuses that the controllers write.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cstdio>
#include <filesystem>
#include <functional>

#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/writer.hpp"
#include "test/sim/cluster_with_user.hpp"
#include "test/sim/every_kind.hpp"
#include "test/support/files.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

const std::filesystem::path kSource = KEELSON_SOURCE_DIR;
const std::filesystem::path kCheck = kSource / "deploy/argocd/health.lua";
const kube::Key kOne("default", "one");

// The JSON as a Lua table. JSON's strings are valid in Lua if they escape only quotes and line ends.
void write_lua(std::string& out, json::View value) {
  if (value.is_object() || value.is_array()) {
    out += "{";
    for (const auto& [name, member] : value.members()) {
      out += "[" + json::quoted(name) + "]=";
      write_lua(out, member);
      out += ",";
    }
    for (const auto item : value.items()) {
      write_lua(out, item);
      out += ",";
    }
    out += "}";
  } else {
    out += value.is_null() ? "nil" : value.text();
  }
}

// "Healthy: message", as Argo CD shows it.
std::string health_of(json::View object) {
  REQUIRE(std::filesystem::exists(KEELSON_LUA));  // scripts/setup installs it
  std::string table = "return ";
  write_lua(table, object);
  // Tests run in parallel, so each has its own file.
  const TemporaryFolder folder;
  const auto file = folder.write("object.lua", table);
  const auto harness = kSource / "test/sim/argocd_check.lua";
  const auto command = "'" KEELSON_LUA "' '" + harness.string() + "' '" + kCheck.string() + "' '" + file + "'";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"), pclose);
  REQUIRE(pipe != nullptr);
  std::string said;
  for (int c = std::fgetc(pipe.get()); c != EOF; c = std::fgetc(pipe.get())) said += static_cast<char>(c);
  return said;
}

std::string health_of(const std::string& json) {
  const auto document = json::Document::parse(json);
  REQUIRE(document);
  return health_of(document->root());
}

struct Watched : ClusterWithUser {
  explicit Watched(const KindRow& row) : ClusterWithUser(1, row.definition), resource(row.definition.resource()) {}
  std::string health() const { return health_of(get(resource, kOne).root()); }
  bool is(const std::string& status) const { return health().starts_with(status + ": "); }

  kube::Resource resource;
};

const std::string kUnseen = "Progressing: The manager has not observed the newest spec yet.\n";

}  // namespace

TEST_CASE("Argo CD gets the same check for every kind with a controller") {
  const auto patch = json::yaml_to_json(content_of(kSource / "deploy/argocd/health-checks.yaml"));
  REQUIRE(patch);
  const auto document = json::Document::parse(*patch);
  REQUIRE(document);
  const auto data = document->root().find("data");
  CHECK(document->root().at({"metadata", "name"}).string() == "argocd-cm");
  CHECK(data.size() == every_kind().size());
  for (const auto& row : every_kind()) {
    const auto& resource = row.definition.resource();
    INFO(resource.kind);
    CHECK(data.find("resource.customizations.health." + resource.group + "_" + resource.kind).string() ==
          content_of(kCheck));
  }
}

TEST_CASE("Argo CD reports Progressing for an object of any kind until the manager has observed it and it is ready") {
  for (const auto& row : every_kind()) {
    INFO(row.definition.resource().kind);
    Watched world(row);
    world.create(world.resource, "default", object_of(world.resource, row.spec));
    CHECK(world.health() == kUnseen);

    world.start_manager();
    REQUIRE(world.eventually([&] { return world.health() != kUnseen; }));
    CHECK((world.is("Progressing") || world.is("Healthy")));
    bool is_healthy = false;
    for (int hour = 0; hour < 24 && !is_healthy; ++hour) {
      world.pass(1h);
      is_healthy = world.is("Healthy");
    }
    CHECK(is_healthy);
  }
}

TEST_CASE("Argo CD reports Progressing for a spec that is not observed and for an object that is being deleted") {
  for (const auto& row : every_kind()) {
    INFO(row.definition.resource().kind);
    Watched world(row);
    world.create(world.resource, "default", object_of(world.resource, row.spec));
    world.start_manager();
    world.pass(2s);

    world.crash_manager();
    world.patch(world.resource, kOne, R"({"spec":)" + row.other_spec + "}");
    CHECK(world.health() == kUnseen);

    world.patch(world.resource, kOne, R"({"metadata":{"finalizers":["example.com/hold"]}})");
    world.remove(world.resource, kOne);
    CHECK(world.health() == "Progressing: The object is being deleted.\n");
  }
}

TEST_CASE("Argo CD reports Degraded for a stalled object") {
  const auto rows = every_kind();
  const auto is_cronjob = [](const KindRow& row) { return row.definition.resource().kind == "CronJob"; };
  auto broken = *std::ranges::find_if(rows, is_cronjob);
  const std::string schedule = "*/1 * * * *";
  broken.spec.replace(broken.spec.find(schedule), schedule.size(), "never");
  Watched world(broken);
  world.create(world.resource, "default", object_of(world.resource, broken.spec));
  world.start_manager();
  world.pass(2s);

  CHECK(world.is("Degraded"));
  CHECK(world.health().find("never") != std::string::npos);
}

TEST_CASE("Argo CD's health follows the conditions in kstatus' order") {
  const auto with = [](const std::string& conditions) {
    return health_of(R"({"metadata":{"generation":3},"status":{"observedGeneration":3,"conditions":[)" + conditions +
                     "]}}");
  };
  const auto condition = [](const std::string& type, const std::string& status, const std::string& message) {
    return R"({"type":")" + type + R"(","status":")" + status + R"(","message":")" + message + R"("})";
  };

  CHECK(with(condition("Ready", "True", "All.")) == "Healthy: All.\n");
  CHECK(with(condition("Ready", "False", "1 of 2.")) == "Progressing: 1 of 2.\n");
  CHECK(with(condition("Ready", "Unknown", "?")) == "Progressing: ?\n");
  CHECK(with("") == "Progressing: The object is not ready yet.\n");
  CHECK(with(condition("Ready", "True", "All.") + "," + condition("Stalled", "False", "")) == "Healthy: All.\n");
  CHECK(with(condition("Ready", "False", "No.") + "," + condition("Stalled", "True", "Not owned.")) ==
        "Degraded: Not owned.\n");
  CHECK(health_of(std::string(R"({"metadata":{"generation":1}})")) == kUnseen);
}

}  // namespace keelson::testing
