// Decisions about CRDs: refused updates, takeovers, and the names that another CRD has.
#include "src/install/crd_policy.hpp"

#include <catch2/catch_test_macros.hpp>

#include "test/support/parsed.hpp"

namespace keelson::install {
namespace {

using testing::parsed;

std::string version(const std::string& name, const std::string& more = R"("served":true,"storage":false)") {
  return R"({"name":")" + name + R"(",)" + more + "}";
}
const std::string kStorage = R"("served":true,"storage":true)";

// A CRD with these entries of spec.versions, and more members of metadata, spec and status.
std::string crd(const std::string& versions, const std::string& metadata = "", const std::string& spec = "",
                const std::string& status = "") {
  return R"({"metadata":{"name":"widgets.example.com")" + metadata +
         R"(},"spec":{"group":"example.com","scope":"Namespaced",)" +
         R"("names":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList","shortNames":["wd"]},)" +
         R"("versions":[)" + versions + "]" + spec + R"(},"status":{)" + status + "}}";
}

CrdUpdate update(const std::string& live, const std::string& desired) {
  return check_update(parsed(live).root(), parsed(desired).root(), "keelson");
}

struct Refusal {
  const char* what;
  std::string live;
  std::string desired;
  std::string text;  // within the only refusal; empty: it can be updated
};

TEST_CASE("a CRD is not updated if objects could be lost") {
  const auto v1 = version("v1", kStorage);
  const auto v1_and_old = version("v1", kStorage) + "," + version("v1beta1");
  const auto stored = [](const std::string& names) { return R"("storedVersions":[)" + names + "]"; };
  auto in_cluster = crd(v1);
  in_cluster.replace(in_cluster.find("Namespaced"), 10, "Cluster");
  const Refusal cases[] = {
      {"no status", crd(v1), crd(v1), ""},
      {"the stored version remains", crd(v1, "", "", stored(R"("v1")")), crd(v1), ""},
      {"a served version that stores nothing is dropped", crd(v1_and_old, "", "", stored(R"("v1")")), crd(v1), ""},
      {"a stored version remains, not served", crd(v1_and_old, "", "", stored(R"("v1","v1beta1")")),
       crd(v1 + "," + version("v1beta1", R"("served":false,"storage":false)")), ""},
      {"a stored version is dropped", crd(v1_and_old, "", "", stored(R"("v1beta1","v1")")), crd(v1),
       R"(objects may be stored in version v1beta1, which this program lacks (it has v1).)"},
      {"another storage version", crd(version("v1", kStorage), "", "", stored(R"("v1")")), crd(version("v2", kStorage)),
       R"('{"status":{"storedVersions":["v2"]}}')"},
      {"another scope", crd(v1), in_cluster,
       "the live CRD has the scope Namespaced, and this program the scope Cluster"},
      {"being deleted", crd(v1, R"(,"deletionTimestamp":"2026-01-01T00:00:00Z")", "", stored(R"("v0")")), crd(v1),
       "the CRD is being deleted"},
  };
  for (const auto& row : cases) {
    INFO(row.what);
    const auto refusals = update(row.live, row.desired).refusals;
    REQUIRE(refusals.size() == (row.text.empty() ? 0 : 1));
    if (row.text.empty()) continue;
    INFO(refusals.front());
    CHECK(refusals.front().starts_with("widgets.example.com: "));
    CHECK(refusals.front().find(row.text) != std::string::npos);
  }
}

TEST_CASE("a note says which version is no longer served, and that a foreign conversion webhook remains") {
  const auto live = crd(version("v1beta1") + "," + version("v1", kStorage), "",
                        R"(,"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"service":)"
                        R"({"namespace":"old-system","name":"old-webhook"}}}})");
  const auto notes = update(live, crd(version("v1", kStorage))).notes;

  REQUIRE(notes.size() == 2);
  CHECK(notes[0] == "widgets.example.com: version v1beta1 is no longer served; its clients get 404 Not Found");
  CHECK(notes[1].find("the conversion webhook old-system/old-webhook of its former operator") != std::string::npos);
}

TEST_CASE("a note says whether the conversion webhook of kubectl's CRD is removed") {
  const std::string conversion = R"(,"conversion":{"strategy":"Webhook","webhook":{"clientConfig":{"service":)"
                                 R"({"namespace":"old-system","name":"old-webhook"}}}})";
  const std::string of_kubectl = R"({"manager":"kubectl-client-side-apply","operation":"Update",)"
                                 R"("apiVersion":"apiextensions.k8s.io/v1","fieldsV1":{"f:spec":{"f:conversion":{)"
                                 R"("f:strategy":{}},"f:group":{},"f:names":{}}}})";
  const std::string of_injector = R"(,{"manager":"cainjector","operation":"Update",)"
                                  R"("fieldsV1":{"f:spec":{"f:conversion":{"f:webhook":{}}}}})";
  const auto note = [&](const std::string& entries) {
    const auto live = crd(version("v1", kStorage), R"(,"managedFields":[)" + entries + "]", conversion);
    const auto notes = update(live, crd(version("v1", kStorage))).notes;
    REQUIRE(notes.size() == 1);
    return notes.front();
  };

  CHECK(note(of_kubectl) ==
        "widgets.example.com: the conversion webhook old-system/old-webhook of its former operator is removed");
  CHECK(note(of_kubectl + of_injector).find("still calls the conversion webhook") != std::string::npos);
}

TEST_CASE("a CRD is taken over from the managers of its spec, and belongs to the program that applies it") {
  const auto entry = [](const std::string& manager, const std::string& more) {
    return R"({"manager":")" + manager + R"(","operation":)" + more + "}";
  };
  const std::string spec = R"("fieldsV1":{"f:spec":{"f:group":{},"f:names":{}}})";
  const auto applied = [&](const std::string& manager) { return entry(manager, R"("Apply",)" + spec); };
  const auto updated = [&](const std::string& manager) { return entry(manager, R"("Update",)" + spec); };
  const auto of_status = entry("kube-apiserver", R"("Update","subresource":"status",)" + spec);
  const auto of_labels = entry("labeler", R"("Update","fieldsV1":{"f:metadata":{}})");
  using Names = std::vector<std::string>;
  using Owner = CrdOwner::Kind;
  const struct {
    std::string entries;
    Names former;
    Owner owner;
  } cases[] = {
      {"", {}, Owner::kUnknown},
      {of_status + "," + of_labels, {}, Owner::kUnknown},
      {updated("kubectl-client-side-apply") + "," + of_status, {"kubectl-client-side-apply"}, Owner::kUnknown},
      {applied("kubectl"), {"kubectl"}, Owner::kUnknown},
      {applied("flux") + "," + updated("flux") + "," + updated("gen"), {"flux", "gen"}, Owner::kOther},
      {applied("other-operator"), {"other-operator"}, Owner::kOther},
      {applied("keelson"), {}, Owner::kOurs},
      {applied("keelson") + "," + updated("kubectl-edit"), {}, Owner::kOurs},
      {updated("kubectl-client-side-apply") + "," + applied("keelson"), {"kubectl-client-side-apply"}, Owner::kOurs},
      // Both apply it.
      {applied("flux") + "," + applied("keelson"), {}, Owner::kOther},
      // An Update of a client with the same name is not the operator's apply.
      {updated("keelson"), {"keelson"}, Owner::kUnknown},
  };
  for (const auto& row : cases) {
    INFO(row.entries);
    const auto live = crd(version("v1", kStorage), R"(,"managedFields":[)" + row.entries + "]");
    CHECK(update(live, crd(version("v1", kStorage))).former_managers == row.former);
    CHECK(owner_of(parsed(live).root(), "keelson").kind == row.owner);
  }
}

std::string condition(const std::string& type, const std::string& status, const std::string& message) {
  return R"({"type":")" + type + R"(","status":")" + status + R"(","message":")" + message + R"("})";
}
const std::string kAccepted =
    R"("acceptedNames":{"plural":"widgets","singular":"widget","kind":"Widget","listKind":"WidgetList","shortNames":["wd"]})";

TEST_CASE("a CRD is served when it is established under all of its names") {
  const auto conditions = [](const std::string& all) { return R"(,"conditions":[)" + all + "]"; };
  const auto progress = [](const std::string& status) {
    return progress_of(parsed(crd(version("v1", kStorage), "", "", status)).root());
  };
  const auto accepted = condition("NamesAccepted", "True", "no conflicts found");
  const auto established = condition("Established", "True", "the initial names have been accepted");

  CHECK_FALSE(progress("").is_served);
  CHECK(progress("").state == "it has no status yet");
  CHECK(progress(kAccepted + conditions(accepted + "," + established)).is_served);
  const auto not_yet =
      progress(kAccepted + conditions(accepted + "," + condition("Established", "False", "installing")));
  CHECK_FALSE(not_yet.is_served);
  CHECK(not_yet.state == "its condition Established is False: installing");
  // The conditions describe the names before an update.
  CHECK_FALSE(progress(R"("acceptedNames":{"plural":"widgets"})" + conditions(accepted + "," + established)).is_served);
  const auto conflict =
      progress(kAccepted + conditions(condition("NamesAccepted", "False", "wd is already in use") + "," + established));
  CHECK_FALSE(conflict.is_served);
  CHECK(conflict.conflict == "wd is already in use");
}

TEST_CASE("the CRD with the same name of its group is found") {
  const auto other = [](const std::string& group, const std::string& names) {
    return parsed(R"({"metadata":{"name":"folds.example.com"},"spec":{"group":")" + group +
                  R"("},"status":{"acceptedNames":)" + names + "}}");
  };
  const auto own = parsed(crd(version("v1", kStorage), "", "", kAccepted));
  const struct {
    std::string group;
    std::string names;
    std::string taken;
  } cases[] = {
      {"example.com", R"({"plural":"folds","shortNames":["fd","wd"]})", "wd"},
      {"example.com", R"({"plural":"widgets"})", "widgets"},
      {"example.com", R"({"plural":"wd"})", "wd"},
      {"example.com", R"({"plural":"folds","kind":"Widget"})", "Widget"},
      {"example.com", R"({"plural":"folds","kind":"Fold","listKind":"WidgetList"})", "WidgetList"},
      {"example.com", R"({"plural":"folds","kind":"widgets"})", ""},
      {"other.com", R"({"plural":"folds","shortNames":["wd"]})", ""},
  };
  for (const auto& row : cases) {
    INFO(row.group << " " << row.names);
    CHECK(taken_name(own.root(), other(row.group, row.names).root()) == row.taken);
  }
  CHECK(taken_name(own.root(), own.root()).empty());
}

}  // namespace
}  // namespace keelson::install
