// The journal: the stored data, the server's state after a restart, and writes that cannot be stored.
#include <catch2/catch_test_macros.hpp>
#include <memory>

#include "src/sandbox/fields/field_set.hpp"
#include "test/unit/sandbox/memory_journal.hpp"
#include "test/unit/sandbox/talk.hpp"

namespace keelson::sandbox {
namespace {

using fixtures::MemoryJournal;
using fixtures::Talk;

const kube::Resource kNamespaces("", "v1", "Namespace", "namespaces", false);
const kube::Resource kAccounts("", "v1", "ServiceAccount", "serviceaccounts");
const kube::Resource kThings("example.com", "v1", "Thing", "things");
const kube::Resource kThingsV2("example.com", "v2", "Thing", "things");
const kube::Key kDefinitionKey("", "things.example.com");

constexpr const char* kDefinition = R"({"metadata":{"name":"things.example.com"},"spec":{"group":"example.com",
  "scope":"Namespaced","names":{"kind":"Thing","plural":"things"},"versions":[{"name":"v1","served":true,"storage":true,
  "subresources":{"status":{}},"schema":{"openAPIV3Schema":{"type":"object"}}}]}})";

std::string workload(const std::string& name, const std::string& more) {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{)" + more + R"("selector":{"matchLabels":{"app":")" + name +
         R"("}},"template":{"metadata":{"labels":{"app":")" + name +
         R"("}},"spec":{"containers":[{"name":"c","image":"i"}]}}}})";
}

const kube::Resource kStatefulSets("apps", "v1", "StatefulSet", "statefulsets");
const kube::Resource kDaemonSets("apps", "v1", "DaemonSet", "daemonsets");
const kube::Resource kRevisions("apps", "v1", "ControllerRevision", "controllerrevisions");

ApiServerOptions with(MemoryJournal& journal) {
  ApiServerOptions options;
  options.has_cluster_objects = true;
  options.journal = &journal;
  return options;
}

// A server with a journal, restarted as successive processes.
struct Life : Talk {
  explicit Life(MemoryJournal& journal, std::uint64_t seed = 1) : Talk(with(journal), seed) {
    REQUIRE(server.resume());
  }

  void apply(const std::string& object, const std::string& manager, bool force = false) {
    kube::ApiRequest request;
    request.verb = kube::Verb::kPatch;
    request.patch_type = kube::PatchType::kApply;
    request.resource = kube::config_maps();
    request.key = kube::Key("default", "a");
    request.query = {{"fieldManager", manager}, {"force", force ? "true" : "false"}};
    request.body = R"({"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},)" + object + "}";
    applied = ask(client().send(request));
  }
  std::vector<kube::Object> maps() { return server.objects(kube::config_maps()); }

  std::optional<Result<kube::ApiReply>> applied;
};

std::string all_of(Life& life) {
  std::string text;
  for (const auto& resource : {kNamespaces, kAccounts, kube::config_maps(), kube::services(), kube::pods(), kThings,
                               kube::deployments(), kube::replica_sets(), kube::custom_resource_definitions(),
                               kStatefulSets, kDaemonSets, kRevisions, kube::jobs()}) {
    for (const auto& object : life.server.objects(resource)) text += std::string(object.json()) + "\n";
  }
  return text;
}

constexpr const char* kJob = R"({"metadata":{"name":"j"},"spec":{"template":{"spec":{"restartPolicy":"Never",)"
                             R"("containers":[{"name":"c","image":"i"}]}}}})";

TEST_CASE("after a restart every object is unchanged, and versions continue") {
  MemoryJournal journal;
  std::string before;
  std::uint64_t version = 0;
  {
    Life life(journal);
    REQUIRE(life.ask(kube::create(life.client(), kube::custom_resource_definitions(), "", kDefinition)));
    REQUIRE(
        life.ask(kube::create(life.client(), kThings, "default", R"({"metadata":{"name":"t"},"spec":{"n":1.50}})")));
    REQUIRE(life.ask(kube::create(life.client(), kube::deployments(), "default", workload("web", R"("replicas":2,)"))));
    REQUIRE(life.ask(
        kube::create(life.client(), kStatefulSets, "default", workload("s", R"("serviceName":"s","replicas":2,)"))));
    REQUIRE(life.ask(kube::create(life.client(), kDaemonSets, "default", workload("d", ""))));
    REQUIRE(life.ask(kube::create(life.client(), kube::jobs(), "default", kJob)));
    life.pass(std::chrono::seconds(10));
    REQUIRE(life.create_map("gone"));
    REQUIRE(life.ask(kube::remove(life.client(), kube::config_maps(), kube::Key("default", "gone"), {})));
    before = all_of(life);
    version = life.server.resource_version();
  }

  Life life(journal, 2);

  CHECK(all_of(life) == before);
  CHECK(life.server.resource_version() == version);
  life.pass(std::chrono::seconds(10));
  CHECK(all_of(life) == before);  // the controllers make no changes
  auto created = life.create_map("a");
  REQUIRE(created);
  CHECK(created->resource_version() == version + 1);
}

// Kubernetes' own test: custom resource defaulting for requests and from storage works.
TEST_CASE("a stored object gets the defaults of a changed definition, with its version, and again after a restart") {
  MemoryJournal journal;
  std::uint64_t version = 0;
  {
    Life life(journal);
    REQUIRE(life.ask(kube::create(life.client(), kube::custom_resource_definitions(), "", kDefinition)));
    REQUIRE(life.ask(kube::create(life.client(), kThings, "default", R"({"metadata":{"name":"t"}})")));
    version = life.server.objects(kThings)[0].resource_version();
    const auto body = R"([{"op":"add","path":"/spec/versions/0/schema/openAPIV3Schema/properties","value":)"
                      R"({"color":{"type":"string","default":"red"}}}])";
    REQUIRE(life.ask(
        kube::patch(life.client(), kube::custom_resource_definitions(), kDefinitionKey, kube::PatchType::kJson, body)));

    const auto thing = life.server.objects(kThings)[0];
    CHECK(thing.json().find(R"("color":"red")") != std::string_view::npos);
    CHECK(thing.resource_version() == version);
  }

  Life life(journal, 2);

  const auto thing = life.server.objects(kThings)[0];
  CHECK(thing.json().find(R"("color":"red")") != std::string_view::npos);
  CHECK(thing.resource_version() == version);
}

TEST_CASE("controllers finish after a restart what they had started before") {
  for (auto moment : {0, 25, 45, 65, 150, 370, 500}) {
    INFO(moment << " ms");
    MemoryJournal journal;
    {
      Life life(journal);
      REQUIRE(
          life.ask(kube::create(life.client(), kube::deployments(), "default", workload("web", R"("replicas":2,)"))));
      REQUIRE(life.ask(
          kube::create(life.client(), kStatefulSets, "default", workload("s", R"("serviceName":"s","replicas":2,)"))));
      REQUIRE(life.ask(kube::create(life.client(), kube::jobs(), "default", kJob)));
      REQUIRE(life.ask(kube::create(life.client(), kNamespaces, "", R"({"metadata":{"name":"new"}})")));
      life.pass(std::chrono::milliseconds(moment));
    }
    Life life(journal, 2);

    life.pass(std::chrono::seconds(15));

    std::size_t running = 0;
    for (const auto& pod : life.server.objects(kube::pods())) {
      running += pod.json().find(R"("phase":"Running")") != std::string_view::npos ? 1 : 0;
    }
    CHECK(running == 4);
    CHECK(life.server.objects(kube::jobs())[0].json().find(R"("type":"Complete","status":"True")") !=
          std::string_view::npos);
    CHECK(life.ask(kube::get(life.client(), kAccounts, kube::Key("new", "default"))));
  }
}

TEST_CASE("a watch from before a restart gets 410 unless it has seen everything") {
  MemoryJournal journal;
  std::uint64_t version = 0;
  {
    Life life(journal);
    REQUIRE(life.create_map("a"));
    version = life.server.resource_version();
  }
  Life life(journal);

  auto read = [&](std::uint64_t from) {
    auto watch = fixtures::watch_of(kube::config_maps(), {{"resourceVersion", std::to_string(from)}});
    auto stream = life.ask(life.client().stream(watch));
    REQUIRE(stream);
    return life.read_ready(**stream);
  };

  CHECK(read(version - 1).find("\"code\":410") != std::string::npos);
  CHECK(read(version).find("read:") == 0);  // the watch waits
}

TEST_CASE("fields have the same owners after a restart") {
  MemoryJournal journal;
  {
    Life life(journal);
    life.apply(R"("data":{"x":"1","y":"1"})", "one");
    REQUIRE(*life.applied);
    life.apply(R"("data":{"z":"1"})", "two");
    REQUIRE(*life.applied);
  }
  Life life(journal);

  life.apply(R"("data":{"x":"2"})", "two");
  REQUIRE_FALSE(*life.applied);
  CHECK(life.applied->error().code == 409);
  CHECK(life.applied->error().server_text.find("conflict with \"one\": .data.x") != std::string::npos);
  life.apply(R"("data":{"x":"1"})", "one");  // y is no longer applied
  REQUIRE(*life.applied);

  auto json = std::string(life.ask(kube::get(life.client(), kube::config_maps(), kube::Key("default", "a")))->json());
  CHECK(json.find(R"("data":{"x":"1","z":"1"})") != std::string::npos);
}

void patch_definition(Life& life, const char* operations, const char* subresource = "") {
  REQUIRE(life.ask(kube::patch(life.client(), kube::custom_resource_definitions(), kDefinitionKey,
                               kube::PatchType::kJson, operations, subresource)));
}

void store_v2(Life& life) {
  patch_definition(life, R"([{"op":"copy","from":"/spec/versions/0","path":"/spec/versions/1"},
      {"op":"replace","path":"/spec/versions/0/storage","value":false},
      {"op":"replace","path":"/spec/versions/1/name","value":"v2"}])");
}

void drop_v1(Life& life) {
  patch_definition(life, R"([{"op":"replace","path":"/status/storedVersions","value":["v2"]}])", "status");
  patch_definition(life, R"([{"op":"remove","path":"/spec/versions/0"}])");
}

void label_v2(Life& life, const std::string& name, const std::string& label) {
  REQUIRE(life.ask(kube::patch(life.client(), kThingsV2, kube::Key("default", name), kube::PatchType::kMerge,
                               R"({"metadata":{"labels":{")" + label + R"(":"x"}}})")));
}

bool is_read_as_v2(Life& life, const std::string& name, const std::string& label = "") {
  auto found = life.ask(kube::get(life.client(), kThingsV2, kube::Key("default", name)));
  return found && found->json().starts_with(R"({"kind":"Thing","apiVersion":"example.com/v2",)") &&
         (label.empty() || found->label(label) == "x");
}

std::size_t thing_rows(const MemoryJournal& journal) {
  std::size_t count = 0;
  for (const auto& [place, row] : journal.rows) count += std::get<2>(place) == "things" ? 1 : 0;
  return count;
}

TEST_CASE("objects of a version that was removed from their definition stay stored, and are deleted with it") {
  MemoryJournal journal;
  {
    Life life(journal);
    REQUIRE(life.ask(kube::create(life.client(), kube::custom_resource_definitions(), "", kDefinition)));
    REQUIRE(life.ask(kube::create(life.client(), kThings, "default", R"({"metadata":{"name":"t"}})")));
    store_v2(life);
    drop_v1(life);
  }
  auto place = MemoryJournal::place_of(kThings, kube::Key("default", "t"));
  {
    Life life(journal);
    CHECK_FALSE(life.ask(kube::get(life.client(), kThings, kube::Key("default", "t"))));
    CHECK(journal.rows.contains(place));
    REQUIRE(life.ask(
        kube::remove(life.client(), kube::custom_resource_definitions(), kube::Key("", "things.example.com"), {})));
  }

  CHECK_FALSE(journal.rows.contains(place));
}

TEST_CASE("objects stored before a migration to another version are served in that version after a restart") {
  MemoryJournal journal;
  {
    Life life(journal);
    REQUIRE(life.ask(kube::create(life.client(), kube::custom_resource_definitions(), "", kDefinition)));
    for (const char* body : {R"({"metadata":{"name":"rewritten"}})", R"({"metadata":{"name":"untouched"}})"}) {
      REQUIRE(life.ask(kube::create(life.client(), kThings, "default", body)));
    }
    store_v2(life);
    label_v2(life, "rewritten", "a");
    drop_v1(life);
  }
  {
    Life life(journal, 2);
    CHECK(is_read_as_v2(life, "rewritten", "a"));
    CHECK(is_read_as_v2(life, "untouched"));
    CHECK(life.server.objects(kThingsV2).size() == 2);
    REQUIRE(life.ask(kube::create(life.client(), kThingsV2, "default", R"({"metadata":{"name":"new"}})")));
    label_v2(life, "untouched", "b");
  }
  Life life(journal, 3);

  CHECK(is_read_as_v2(life, "rewritten", "a"));
  CHECK(is_read_as_v2(life, "untouched", "b"));
  CHECK(is_read_as_v2(life, "new"));
  CHECK(thing_rows(journal) == 3);
}

TEST_CASE("objects outlive a definition whose finalizer is removed by hand, and belong to the next one") {
  for (bool has_restart : {false, true}) {
    INFO("with a restart in between: " << has_restart);
    MemoryJournal journal;
    auto life = std::make_unique<Life>(journal);
    auto owner = life->create_map("owner");
    REQUIRE(owner);
    REQUIRE(life->ask(kube::create(life->client(), kube::custom_resource_definitions(), "", kDefinition)));
    REQUIRE(life->ask(
        kube::create(life->client(), kThings, "default",
                     R"({"metadata":{"name":"t","finalizers":["example.com/f"],"ownerReferences":[{"apiVersion":"v1",
            "kind":"ConfigMap","name":"owner","uid":")" +
                         std::string(owner->uid()) + R"("}]}})")));
    REQUIRE(life->ask(kube::remove(life->client(), kube::custom_resource_definitions(), kDefinitionKey, {})));
    REQUIRE(life->ask(kube::patch(life->client(), kube::custom_resource_definitions(), kDefinitionKey,
                                  kube::PatchType::kMerge, R"({"metadata":{"finalizers":null}})")));
    if (has_restart) life = std::make_unique<Life>(journal, 2);
    std::string next = kDefinition;
    next.replace(next.find(R"("name":"v1")"), 11, R"("name":"v2")");

    REQUIRE(life->ask(kube::create(life->client(), kube::custom_resource_definitions(), "", next)));

    CHECK(is_read_as_v2(*life, "t"));
    // The server searches for its dependents.
    CHECK(life->ask(kube::remove(life->client(), kube::config_maps(), kube::Key("default", "owner"), {})));
    life->pass(std::chrono::seconds(1));
    label_v2(*life, "t", "a");
    CHECK(thing_rows(journal) == 1);
    life = std::make_unique<Life>(journal, 3);
    CHECK(is_read_as_v2(*life, "t", "a"));
    REQUIRE(life->ask(kube::patch(life->client(), kThingsV2, kube::Key("default", "t"), kube::PatchType::kMerge,
                                  R"({"metadata":{"finalizers":null}})")));
    CHECK(thing_rows(journal) == 0);
  }
}

TEST_CASE("a write that cannot be stored is a 500 and changes nothing, and later writes work") {
  MemoryJournal journal;
  Life life(journal);
  REQUIRE(life.create_map("a"));
  life.pass(std::chrono::seconds(1));
  auto before = all_of(life);
  auto version = life.server.resource_version();
  const kube::Key a("default", "a");
  auto& client = life.client();
  journal.is_full = true;

  std::vector<Error> errors;
  auto expect_failure = [&errors](auto result) {
    REQUIRE_FALSE(result);
    errors.push_back(result.error());
  };
  expect_failure(life.create_map("b"));
  expect_failure(
      life.ask(kube::patch(client, kube::config_maps(), a, kube::PatchType::kMerge, R"({"data":{"k":"v"}})")));
  expect_failure(life.ask(kube::remove(client, kube::config_maps(), a, {})));
  expect_failure(life.ask(kube::remove(client, kNamespaces, kube::Key("", "kube-node-lease"), {})));
  expect_failure(life.ask(kube::create(client, kube::custom_resource_definitions(), "", kDefinition)));
  kube::ApiRequest collection;
  collection.verb = kube::Verb::kDeleteCollection;
  collection.resource = kube::config_maps();
  collection.key.ns = "default";
  expect_failure(life.ask(client.send(collection)));

  for (const auto& error : errors) {
    CHECK(error.code == 500);
    CHECK(error.server_text == "database space exceeded");
  }
  CHECK(all_of(life) == before);
  CHECK(life.server.resource_version() == version);
  journal.is_full = false;
  CHECK(life.create_map("b"));
  CHECK(life.ask(kube::remove(client, kNamespaces, kube::Key("", "kube-node-lease"), {})));
  life.pass(std::chrono::seconds(1));
  CHECK(life.maps().size() == 5);  // includes kube-root-ca.crt of the other namespaces
}

TEST_CASE("a definition whose deletion cannot be stored is still served") {
  MemoryJournal journal;
  Life life(journal);
  REQUIRE(life.ask(kube::create(life.client(), kube::custom_resource_definitions(), "", kDefinition)));
  const kube::Key key("", "things.example.com");
  journal.is_full = true;
  REQUIRE_FALSE(life.ask(kube::remove(life.client(), kube::custom_resource_definitions(), key, {})));
  journal.is_full = false;

  CHECK(life.ask(kube::create(life.client(), kThings, "default", R"({"metadata":{"name":"t"}})")));
}

TEST_CASE("writes of controllers that could not be stored are retried when there is space again") {
  MemoryJournal journal;
  Life life(journal);
  REQUIRE(life.ask(kube::create(life.client(), kube::deployments(), "default", workload("web", R"("replicas":2,)"))));
  journal.is_full = true;
  life.pass(std::chrono::minutes(1));
  CHECK(life.server.objects(kube::pods()).empty());

  journal.is_full = false;
  life.pass(std::chrono::seconds(15));

  auto pods = life.server.objects(kube::pods());
  REQUIRE(pods.size() == 2);
  CHECK(pods[0].json().find(R"("phase":"Running")") != std::string::npos);
}

TEST_CASE("a server whose first objects cannot be stored does not start") {
  MemoryJournal journal;
  journal.is_full = true;
  Talk talk(with(journal));

  auto resumed = talk.server.resume();

  REQUIRE_FALSE(resumed);
  CHECK(resumed.error().text == "database space exceeded");
}

TEST_CASE("stored objects with changed bytes are read as errors or as ordinary objects") {
  MemoryJournal original;
  {
    Life life(original);
    REQUIRE(life.ask(kube::create(life.client(), kube::custom_resource_definitions(), "", kDefinition)));
    REQUIRE(life.ask(kube::create(life.client(), kThings, "default", R"({"metadata":{"name":"t"},"spec":{"n":1}})")));
    REQUIRE(life.ask(kube::create(life.client(), kube::deployments(), "default", workload("web", R"("replicas":2,)"))));
    life.apply(R"("data":{"x":"1"})", "one");
    life.pass(std::chrono::seconds(10));
  }
  base::Random random(1);
  auto below = [&random](std::size_t size) {
    return static_cast<std::size_t>(random.between(0, static_cast<std::int64_t>(size) - 1));
  };
  int begun = 0;
  for (int round = 0; round < 400; ++round) {
    INFO("round " << round);
    MemoryJournal journal;
    journal.rows = original.rows;
    journal.highest = original.highest;
    auto row = std::next(journal.rows.begin(), static_cast<std::ptrdiff_t>(below(journal.rows.size())));
    auto& json = row->second.second;
    json[below(json.size())] = "{}[]\":,k.0a\\"[below(12)];
    Talk talk(with(journal), 2);
    if (!talk.server.resume()) continue;
    ++begun;

    talk.pass(std::chrono::seconds(1));
    for (const auto& resource : {kThings, kube::config_maps(), kube::deployments(), kube::pods(), kNamespaces}) {
      static_cast<void>(talk.ask(kube::list(talk.client(), resource, {})));
    }
    auto apply = [&talk](const kube::Resource& resource, const std::string& name, const std::string& body) {
      kube::ApiRequest request;
      request.verb = kube::Verb::kPatch;
      request.patch_type = kube::PatchType::kApply;
      request.resource = resource;
      request.key = kube::Key("default", name);
      request.query = {{"fieldManager", "one"}};
      request.body =
          R"({"apiVersion":")" + resource.api_version() + R"(","kind":")" + resource.kind + "\"," + body + "}";
      static_cast<void>(talk.ask(talk.client().send(request)));
    };
    apply(kube::config_maps(), "a", R"("data":{"x":"2"})");
    apply(kube::deployments(), "web",
          R"("spec":{"template":{"spec":{"containers":[{"name":"c","image":"j"},{"name":"d","image":"k"}]}}})");
    talk.pass(std::chrono::seconds(5));
  }
  CHECK(begun > 40);
}

TEST_CASE("fields of an entry with invalid keys have no owner") {
  auto fields = fields_from_v1(*Tree::parse(R"({"f:list":{"k:{":{".":{},"f:x":{}},"k:{\"n\":1}":{".":{}}},"g:":{}})"));

  CHECK(fields == FieldSet{{"f:list", R"(k:{"n":1})"}});
}

TEST_CASE("a stored object that cannot be parsed is an error that names it") {
  struct Row {
    std::string from;
    std::string to;
  };
  const Row rows[] = {
      {"{", "["}, {R"("name":"a")", R"("name":"b")"}, {"ConfigMap", "ConfigNap"}, {R"("uid":")", R"("uib":")"}};

  for (const auto& [from, to] : rows) {
    INFO(to);
    MemoryJournal journal;
    { REQUIRE(Life(journal).create_map("a")); }
    auto& json = journal.rows.at(MemoryJournal::place_of(kube::config_maps(), kube::Key("default", "a"))).second;
    json.replace(json.find(from), from.size(), to);
    Talk talk(with(journal));

    auto resumed = talk.server.resume();

    REQUIRE_FALSE(resumed);
    CHECK(resumed.error().text.find("configmaps \"default/a\": ") == 0);
  }
}

}  // namespace
}  // namespace keelson::sandbox
