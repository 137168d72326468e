// A user with permissions in one namespace, against the objects of another and against the manager: none of its writes
// has an effect outside of its namespace.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <functional>
#include <string>
#include <vector>

#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/registered_webhooks.hpp"
#include "test/support/certificates.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::testing {
namespace {

using namespace std::chrono_literals;

constexpr const char* kCronJobs = "cronjobs.batch.tutorial.kubebuilder.io";
constexpr const char* kTemplate =
    R"("jobTemplate":{"spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never",)"
    R"("containers":[{"name":"main","image":"busybox"}]}}}})";
constexpr const char* kPods = R"({"containers":[{"name":"main","image":"nginx"}]})";

// JSON of an object; `metadata` and `rest`: further members of its metadata and of the object, with a comma before
// them.
std::string object(const std::string& api_version, const std::string& kind, const std::string& name,
                   const std::string& metadata, const std::string& rest) {
  return R"({"apiVersion":")" + api_version + R"(","kind":")" + kind + R"(","metadata":{"name":")" + name + "\"" +
         metadata + "}" + rest + "}";
}

std::string list_of(const std::vector<std::string>& objects) {
  std::string items;
  for (const auto& one : objects) items += (items.empty() ? "" : ",") + one;
  return R"({"apiVersion":"v1","kind":"List","items":[)" + items + "]}";
}

std::string owned_by(const std::string& api_version, const std::string& kind, const std::string& name,
                     const std::string& uid) {
  return R"(,"ownerReferences":[{"apiVersion":")" + api_version + R"(","kind":")" + kind + R"(","name":")" + name +
         R"(","uid":")" + uid + R"(","controller":true}])";
}

// Prevents the garbage collector from deleting an object whose owner is in another namespace.
constexpr const char* kHeld = R"(,"finalizers":["tenant.example/held"])";

std::string job(const std::string& name, const std::string& metadata) {
  return object("batch/v1", "Job", name, metadata,
                R"(,"spec":{"suspend":true,"template":{"spec":{"restartPolicy":"Never",)"
                R"("containers":[{"name":"main","image":"busybox"}]}}})");
}

std::string cronjob(const std::string& name, const std::string& schedule, const std::string& metadata = "",
                    const std::string& spec = "") {
  return object("batch.tutorial.kubebuilder.io/v1", "CronJob", name, metadata,
                R"(,"spec":{"schedule":")" + schedule + "\"" + spec + "," + kTemplate + "}");
}

std::string memcached(const std::string& name, const std::string& metadata = "", int size = 1) {
  return object("memcached.cache.example.com/v1", "Memcached", name, metadata,
                R"(,"spec":{"size":)" + std::to_string(size) + "}");
}

std::string bluegreen(const std::string& name, const std::string& pods = kPods, const std::string& route_to = "Blue") {
  return object("app.demo.kakao.com/v1", "BlueGreen", name, "",
                R"(,"spec":{"routeTo":")" + route_to + R"(","blueSpec":)" + pods + R"(,"greenSpec":)" + kPods + "}");
}

std::string word(const std::string& kind, const std::string& name, const std::string& metadata) {
  return object("zundokokiyoshi.kaitoy.github.com/v1beta1", kind, name, metadata, R"(,"spec":{"say":"Zun"})");
}

std::string hikawa(const std::string& name, const std::string& spec) {
  return object("zundokokiyoshi.kaitoy.github.com/v1beta1", "Hikawa", name, "", R"(,"spec":{)" + spec + "}");
}

std::vector<std::string> many(int count, const std::function<std::string(const std::string&)>& make) {
  std::vector<std::string> all;
  for (int i = 0; i < count; ++i) all.push_back(make(std::to_string(i)));
  return all;
}

// A user with `edit`, and all permissions for our kinds and their statuses, in its own namespace.
class Tenant {
 public:
  Tenant() {
    kubectl({"create", "serviceaccount", "tenant", "-n", ns()});
    auto user = "--serviceaccount=" + ns() + ":tenant";
    kubectl({"create", "rolebinding", "edit", "--clusterrole=edit", user, "-n", ns()});
    kubectl({"create", "-n", ns(), "-f", "-"},
            object("rbac.authorization.k8s.io/v1", "Role", "ours", "",
                   R"(,"rules":[{"apiGroups":["batch.tutorial.kubebuilder.io","memcached.cache.example.com",)"
                   R"("app.demo.kakao.com","webapp.my.domain","zundokokiyoshi.kaitoy.github.com",)"
                   R"("coordination.k8s.io","events.k8s.io"],"resources":["*"],"verbs":["*"]},)"
                   R"({"apiGroups":[""],"resources":["events"],"verbs":["*"]}])"));
    kubectl({"create", "rolebinding", "ours", "--role=ours", user, "-n", ns()});
    eventually("the tenant may edit its namespace", [this] {
      return tries({"create", "configmap", "probe"}).exit_code == 0;
    });
  }
  [[nodiscard]] const std::string& ns() const { return space_.name(); }
  [[nodiscard]] Output tries(std::vector<std::string> arguments, const std::string& input = "") const {
    auto names_namespace = [](const auto& argument) { return argument == "-n"; };
    if (std::ranges::none_of(arguments, names_namespace)) {
      arguments.insert(arguments.end(), {"-n", ns()});
    }
    arguments.push_back("--as=system:serviceaccount:" + ns() + ":tenant");
    return try_kubectl(arguments, input);
  }
  void creates(const std::string& json) const {
    auto output = tries({"create", "-f", "-"}, json);
    INFO(output.text.substr(0, 2000));
    CHECK(output.exit_code == 0);
  }
  void is_rejected(const std::vector<std::string>& arguments, const std::string& input = "") const {
    auto output = tries(arguments, input);
    INFO(output.text.substr(0, 2000));
    CHECK(output.exit_code != 0);
  }
  void sets_status(const std::string& kind, const std::string& name, const std::string& status) const {
    auto output = tries({"patch", kind, name, "--subresource=status", "--type=merge", "--patch-file=/dev/stdin"},
                        R"({"status":)" + status + "}");
    INFO(output.text.substr(0, 2000));
    CHECK(output.exit_code == 0);
  }

 private:
  Namespace space_;
};

// Objects of each kind in another namespace; works() makes every controller do something for them.
class Victim {
 public:
  explicit Victim(Manager& manager) : manager_(manager) {
    apply({cronjob("web", "@every 1s", "", R"(,"concurrencyPolicy":"Replace")"),
           hikawa("long", R"("intervalMillis":86400000)")});
    works("nothing");
    kubectl({"wait", "--for=condition=Ready", "memcached/web", "-n", ns(), "--timeout=180s"});
  }
  [[nodiscard]] const std::string& ns() const { return space_.name(); }
  [[nodiscard]] std::string field(const std::string& kind, const std::string& name, const std::string& path) const {
    return kubectl({"get", kind, name, "-n", ns(), "-o", "jsonpath={" + path + "}"});
  }
  [[nodiscard]] std::string uid(const std::string& kind, const std::string& name) const {
    return field(kind, name, ".metadata.uid");
  }

  void works(const std::string& after) {
    INFO("after: " << after);
    ++round_;
    const auto song = "h" + std::to_string(round_);
    const auto size = 1 + round_ % 2;
    const std::string color = round_ % 2 == 0 ? "Blue" : "Green";
    auto last_run = field(kCronJobs, "web", ".status.lastScheduleTime");
    apply({memcached("web", "", size), bluegreen("shop", kPods, color),
           object("webapp.my.domain/v1", "Guestbook", "book", "",
                  R"(,"spec":{"size":)" + std::to_string(size) + R"(,"configMapName":"m"})"),
           hikawa(song, R"("intervalMillis":10,"numZundokos":1,"sayKiyoshi":true)")});
    Seen seen;
    eventually(
        after + ": the other namespace's objects are followed",
        [&] {
          auto output = try_kubectl({"get", "deployment/web", "service/shop", "guestbook/book", "hikawa/" + song,
                                     "hikawa/long", std::string(kCronJobs) + "/web", "-n", ns(), "-o", "json"});
          auto document = json::Document::parse(output.text);
          if (output.exit_code != 0 || !document) return false;
          auto at = [&](std::size_t place, std::initializer_list<std::string_view> path) {
            return document->root().find("items").item(place).at(path);
          };
          seen.last_run = at(5, {"status", "lastScheduleTime"}).string().value_or("");
          seen.said = at(3, {"status", "numZundokosSaid"}).integer().value_or(-1);
          seen.said_by_long = at(4, {"status", "numZundokosSaid"}).integer().value_or(-1);
          seen.active = at(5, {"status", "activeJobs"}).integer().value_or(-1);
          return at(0, {"spec", "replicas"}).integer() == size &&
                 at(1, {"spec", "selector", "app.kubernetes.io/phase"}).string() == color &&
                 at(2, {"status", "observedGeneration"}).integer() == at(2, {"metadata", "generation"}).integer() &&
                 at(3, {"status", "kiyoshied"}).boolean() == true && seen.last_run > last_run;
        },
        30s);
    CHECK(seen.said == 1);
    CHECK(seen.said_by_long == 0);
    CHECK(seen.active <= 1);
    CHECK(seen.last_run < "2090");
    REQUIRE(manager_.process().is_running());
    CHECK(manager_.health("/readyz") == "ok");
  }

 private:
  struct Seen {
    std::string last_run;
    std::int64_t said = 0;
    std::int64_t said_by_long = 0;
    std::int64_t active = 0;
  };
  void apply(const std::vector<std::string>& objects) const {
    kubectl({"apply", "-n", ns(), "-f", "-"}, list_of(objects));
  }

  Manager& manager_;
  Namespace space_;
  int round_ = 0;
};

struct ManagerWithWebhooks {
  ManagerWithWebhooks() { manager.wait_until_ready(); }

  Namespace system;
  Authority authority;
  TemporaryFolder folder;
  KeyPair pair = authority.issue({.names = {std::string(RegisteredWebhooks::kService) + "." + system.name() + ".svc"}});
  int port = free_port();
  RegisteredWebhooks webhooks{system.name(), port, authority.certificate_pem()};
  std::string certificate = folder.write("tls.crt", pair.certificate_pem);
  std::string key = folder.write("tls.key", pair.key_pem);
  Manager manager{{"--webhook-port=" + std::to_string(port), "--webhook-cert-path=" + folder.path().string()}};
};

constexpr const char* kOurBatch = "batch.tutorial.kubebuilder.io/v1";
constexpr const char* kSongs = "zundokokiyoshi.kaitoy.github.com/v1beta1";

std::string scheduled_at(const std::string& time) {
  return R"(,"annotations":{"batch.tutorial.kubebuilder.io/scheduled-at":")" + time + "\"}";
}

// Objects that claim owners in the other namespace.
void claim_owners(const Tenant& tenant, Victim& victim) {
  auto claim = owned_by(kOurBatch, "CronJob", "web", victim.uid(kCronJobs, "web")) + kHeld;
  tenant.creates(job("far", claim + scheduled_at("2099-01-01T00:00:00Z")));
  victim.works("a Job with the CronJob's uid and a slot in 2099");

  tenant.creates(list_of(many(30, [&](const auto& i) { return job("active-" + i, claim); })));
  victim.works("thirty active Jobs with the CronJob's uid");
  CHECK(tenant.tries({"get", "job", "active-0", "-o", "name"}).exit_code == 0);

  auto song = owned_by(kSongs, "Hikawa", "long", victim.uid("hikawa", "long")) + kHeld;
  tenant.creates(list_of(many(5, [&](const auto& i) { return word("Zundoko", "long-zundoko-00" + i, song); })));
  tenant.creates(word("Kiyoshi", "long-kiyoshi", song));
  victim.works("Zundokos and a Kiyoshi with the Hikawa's uid");

  auto space = kubectl({"get", "namespace", victim.ns(), "-o", "jsonpath={.metadata.uid}"});
  auto node = kubectl({"get", "nodes", "-o", "jsonpath={.items[0].metadata.uid}"});
  auto node_name = kubectl({"get", "nodes", "-o", "jsonpath={.items[0].metadata.name}"});
  tenant.creates(list_of({job("of-namespace", owned_by("v1", "Namespace", victim.ns(), space)),
                          job("of-node", owned_by("v1", "Node", node_name, node)),
                          memcached("of-node", owned_by("v1", "Node", node_name, node)),
                          word("Zundoko", "of-namespace", owned_by("v1", "Namespace", victim.ns(), space))}));
  victim.works("owner references to cluster-scoped objects");
}

// Objects with the names and labels of the other namespace's children.
void take_names(const Tenant& tenant, Victim& victim) {
  auto deployment = [](const std::string& name, const std::string& metadata) {
    return object("apps/v1", "Deployment", name, metadata,
                  std::string(R"(,"spec":{"replicas":0,"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":)") +
                      R"({"labels":{"a":"b"}},"spec":)" + kPods + "}}");
  };
  auto service = [](const std::string& name, const std::string& metadata) {
    return object("v1", "Service", name, metadata, R"(,"spec":{"ports":[{"port":80}]})");
  };
  tenant.creates(list_of({deployment("web", ""), deployment("shopblue-deployment", ""),
                          deployment("shopgreen-deployment", ""), service("web", ""), service("shop", "")}));
  tenant.creates(list_of({memcached("web"), bluegreen("shop")}));
  victim.works("Deployments, Services, a Memcached and a BlueGreen of the same names");

  auto owner = owned_by("memcached.cache.example.com/v1", "Memcached", "web", victim.uid("memcached", "web"));
  tenant.creates(list_of({deployment("child", owner + kHeld), service("child", owner + kHeld)}));
  victim.works("a Deployment and a Service that claim the Memcached as their controller");

  const std::string labels = R"(,"labels":{"app":"memcached","memcached_cr":"web"})";
  auto replica_set =
      kubectl({"get", "rs", "-n", victim.ns(), "-l", "memcached_cr=web", "-o", "jsonpath={.items[0].metadata.name}"});
  auto of_deployment = owned_by("apps/v1", "Deployment", "web", victim.uid("deployment", "web"));
  tenant.creates(object("apps/v1", "ReplicaSet", replica_set, labels + of_deployment + kHeld,
                        std::string(R"(,"spec":{"replicas":0,"selector":{"matchLabels":{"x":"y"}},"template":{)") +
                            R"("metadata":{"labels":{"x":"y"}},"spec":)" + kPods + "}}"));
  auto of_replica_set = owned_by("apps/v1", "ReplicaSet", replica_set, victim.uid("rs", replica_set));
  tenant.creates(list_of(many(20, [&](const auto& i) {
    return object("v1", "Pod", "node-" + i, labels + of_replica_set + kHeld, std::string(R"(,"spec":)") + kPods);
  })));
  victim.works("pods and a ReplicaSet with the labels and owners of the Memcached's");
  eventually("the Memcached has its own nodes only", [&] {
    return victim.field("memcached", "web", ".status.nodes").find("node-") == std::string::npos &&
           victim.field("memcached", "web", ".status.replicas") == victim.field("memcached", "web", ".spec.size");
  });
}

// Absurd values in its own objects.
void write_absurdities(const Tenant& tenant, Victim& victim) {
  // The Kiyoshi first, before the Hikawa's controller creates it.
  tenant.creates(
      list_of({word("Kiyoshi", "own-kiyoshi", ""), cronjob("own", "@every 1s", "", R"(,"concurrencyPolicy":"Replace")"),
               hikawa("own", R"("intervalMillis":1000)"), memcached("own"), bluegreen("own"),
               object("webapp.my.domain/v1", "Guestbook", "own", "", R"(,"spec":{"size":1,"configMapName":"m"})")}));
  eventually("the tenant's own CronJob has run", [&] {
    return !tenant.tries({"get", kCronJobs, "own", "-o", "jsonpath={.status.lastScheduleTime}"}).text.empty();
  });
  auto own_uid = tenant.tries({"get", kCronJobs, "own", "-o", "jsonpath={.metadata.uid}"}).text;
  auto claim = owned_by(kOurBatch, "CronJob", "own", own_uid);
  std::vector<std::string> jobs;
  for (const std::string time : {"2099-01-01T00:00:00Z", "1700-01-01T00:00:00Z", "9999999-01-01T00:00:00Z",
                                 "-2026-01-01T00:00:00Z", "noon", "2026-13-45T99:99:99Z"}) {
    jobs.push_back(job("slot-" + std::to_string(jobs.size()), claim + scheduled_at(time)));
  }
  jobs.push_back(job("slot-huge", claim + scheduled_at(std::string(200'000, '9'))));
  tenant.creates(list_of(jobs));
  victim.works("Jobs of its own CronJob with absurd slots");

  std::string active;
  for (int i = 0; i < 2000; ++i) {
    active += std::string(i == 0 ? "" : ",") + R"({"apiVersion":"batch/v1","kind":"Job","name":")" +
              (i % 2 == 0 ? "j" : "../../" + victim.ns() + "/jobs/j") + std::to_string(i) + R"(","namespace":")" +
              victim.ns() + R"(","uid":"u)" + std::to_string(i) + "\"}";
  }
  for (const std::string time : {"2099-01-01T00:00:00Z", "9999-12-31T00:00:00Z", "0001-01-01T00:00:00Z"}) {
    tenant.sets_status(
        kCronJobs, "own",
        R"({"lastScheduleTime":")" + time + R"(","lastSuccessfulTime":")" + time + R"(","active":[)" + active + "]}");
  }
  tenant.sets_status("memcached", "own",
                     R"({"nodes":["a","b"],"replicas":2147483647,"readyNodes":-5,"observedGeneration":999})");
  tenant.sets_status("bluegreen", "own", R"({"routeTo":"Green","observedGeneration":-7})");
  tenant.sets_status("hikawa", "own", R"({"numZundokosSaid":4611686018427387904,"kiyoshied":false})");
  victim.works("statuses of its own objects with absurd values");
  eventually("the tenant's own CronJob runs again", [&] {
    auto last = tenant.tries({"get", kCronJobs, "own", "-o", "jsonpath={.status.lastScheduleTime}"}).text;
    return last > "2020" && last < "2090";
  });

  auto own_song = tenant.tries({"get", "hikawa", "own", "-o", "jsonpath={.metadata.uid}"}).text;
  auto of_song = owned_by(kSongs, "Hikawa", "own", own_song);
  tenant.creates(list_of({word("Zundoko", "own-zundoko-1000000000", of_song),
                          word("Zundoko", "own-zundoko-99999999999999999999", of_song)}));
  auto huge = R"(,"annotations":{"a":")" + std::string(250'000, 'x') + "\"}";
  tenant.creates(list_of({cronjob("huge", "@every 1s", huge), memcached("huge", huge),
                          bluegreen("huge", R"({"containers":[{"name":"main","image":"nginx","env":[{"name":"A",)"
                                            R"("value":")" +
                                                std::string(400'000, 'y') + R"("}]}]})")}));
  victim.works("huge objects, and words with the last ordinals");

  tenant.creates(list_of({cronjob("held", "@every 1s", kHeld), memcached("held", kHeld)}));
  (void)tenant.tries({"delete", kCronJobs, "held", "--wait=false", "--cascade=foreground"});
  (void)tenant.tries({"delete", "memcached", "held", "--wait=false", "--cascade=orphan"});
  victim.works("objects with finalizers");

  // Values that the schema accepts.
  for (const auto& one : {memcached(std::string(253, 'm')), hikawa(std::string(239, 'h'), R"("intervalMillis":10)"),
                          bluegreen(std::string(230, 'b')), cronjob(std::string(52, 'c'), "@every 1s")}) {
    (void)tenant.tries({"create", "-f", "-"}, one);
  }
  victim.works("names as long as they may be");
}

// Objects with names of the manager's objects, and writes to other namespaces.
void reach_for_the_manager(const Tenant& tenant, Victim& victim, const ManagerWithWebhooks& world) {
  for (const auto* name : {"keelson-webhook-server-cert", "webhook-server-cert"}) {
    tenant.creates(object("v1", "Secret", name, "", R"(,"data":{"tls.crt":"AAAA","tls.key":"AAAA","ca.crt":"AAAA"})"));
  }
  tenant.creates(object("coordination.k8s.io/v1", "Lease", "keelson-manager", "",
                        R"(,"spec":{"holderIdentity":"tenant","leaseDurationSeconds":3600})"));
  tenant.creates(object("v1", "Service", RegisteredWebhooks::kService, "", R"(,"spec":{"ports":[{"port":443}]})"));
  victim.works("a Secret, a Lease and a Service of the manager's names");

  const std::string nested = std::string(300, '[') + std::string(300, ']');
  auto crafted = [&](const std::string& name, const std::string& schedule, const std::string& spec) {
    tenant.is_rejected({"create", "-f", "-"}, cronjob(name, schedule, "", spec));
  };
  crafted("long", std::string(100'000, '*'), "");
  crafted("control", R"(* * * * *\u0000\u001b[31m\n{\"level\":\"error\"})", "");
  crafted("zone", "@every 1s", R"(,"timeZone":"../../etc/passwd")");
  crafted("zone", "@every 1s", R"(,"timeZone":")" + std::string(100'000, 'Z') + "\"");
  tenant.is_rejected(
      {"create", "-f", "-"},
      object(kOurBatch, "CronJob", "deep", "",
             R"(,"spec":{"schedule":"x","jobTemplate":{"spec":{"template":{"spec":{"x":)" + nested + "}}}}}"));
  victim.works("schedules, zones and templates made for the webhook");

  auto of_victim = victim.uid(kCronJobs, "web");
  auto events = many(200, [&](const auto& i) {
    return object(
        "v1", "Event", "e" + i, "",
        R"(,"reason":"SuccessfulCreate","message":"Created","type":"Normal","involvedObject":{"apiVersion":")" +
            std::string(kOurBatch) + R"(","kind":"CronJob","name":"web","namespace":")" + tenant.ns() + R"(","uid":")" +
            of_victim + "\"}");
  });
  tenant.creates(list_of(events));
  victim.works("two hundred Events about the CronJob");

  tenant.creates(list_of(many(
      10, [](const auto& i) { return cronjob("busy-" + i, "@every 1s", "", R"(,"concurrencyPolicy":"Replace")"); })));
  victim.works("ten CronJobs of every second");

  tenant.is_rejected(
      {"patch", kCronJobs, "web", "-n", victim.ns(), "--type=merge", "-p", R"({"spec":{"suspend":true}})"});
  tenant.is_rejected({"create", "-n", victim.ns(), "-f", "-"}, job("mine", ""));
  tenant.is_rejected({"create", "-n", victim.ns(), "-f", "-"}, bluegreen("x"));
  tenant.is_rejected({"patch", "crd", kCronJobs, "--type=merge", "-p", R"({"metadata":{"labels":{"a":"b"}}})"});
  tenant.is_rejected({"patch", "validatingwebhookconfiguration", RegisteredWebhooks::kValidating, "--type=merge", "-p",
                      R"({"webhooks":[]})"});
  tenant.is_rejected({"delete", "secrets", "--all", "-n", world.system.name()});
  victim.works("writes to other namespaces and to cluster-scoped objects");
}

TEST_CASE("writes of a user of one namespace neither affect another namespace nor stop a controller", "[slow]") {
  ManagerWithWebhooks world;
  Victim victim(world.manager);
  Tenant tenant;

  claim_owners(tenant, victim);
  take_names(tenant, victim);
  write_absurdities(tenant, victim);
  reach_for_the_manager(tenant, victim, world);

  // Otherwise the namespace could not be deleted.
  for (const auto* kind :
       {"jobs", "pods", "replicasets", "deployments", "services", "zundokos", "kiyoshis", "memcacheds", kCronJobs}) {
    auto names = kubectl({"get", kind, "-n", tenant.ns(), "-o", "name"});
    std::vector<std::string> arguments{"patch",        "-n", tenant.ns(),
                                       "--type=merge", "-p", R"({"metadata":{"finalizers":null}})"};
    std::string name;
    for (char c : names) {
      if (c != '\n') {
        name += c;
        continue;
      }
      arguments.push_back(name);
      name.clear();
    }
    if (arguments.size() > 6) (void)try_kubectl(arguments);
  }
}

}  // namespace
}  // namespace keelson::testing
