#include "keelson/detail/doctor/findings.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <set>

#include "test/unit/doctor/world.hpp"

namespace keelson::doctor {
namespace {

TEST_CASE("every row of the table of findings has a unique id in kebab case, and complete texts") {
  std::set<std::string_view> ids;
  for (const auto& kind : finding_kinds()) {
    INFO(kind.id);
    CHECK(ids.insert(kind.id).second);
    CHECK(kind.id.find_first_not_of("abcdefghijklmnopqrstuvwxyz-0123456789") == std::string_view::npos);
    for (const auto text : {kind.text, kind.cause, kind.remedy}) {
      CHECK_FALSE(text.empty());
      CHECK_FALSE(text.ends_with('.'));
      // They are cells of Markdown tables.
      CHECK(text.find('|') == std::string_view::npos);
      CHECK(std::ranges::count(text, '`') % 2 == 0);
    }
    CHECK(kind.severity != Severity::kOk);
  }
}

TEST_CASE("findings of one id beyond the limit are counted and not stored") {
  Findings findings;

  for (std::size_t i = 0; i < limits::kFindingsOfAKind + 3; ++i) {
    findings.add("object-paused", "boats/" + std::to_string(i));
  }

  CHECK(findings.all().size() == limits::kFindingsOfAKind);
  CHECK(findings.omitted("object-paused") == 3);
  CHECK(findings.omitted("object-stalled") == 0);
  CHECK(findings.omitted("unheard-of") == 0);
}

TEST_CASE("equal findings are one, and a missing permission is named once for all objects of a kind") {
  Findings findings;
  for (const char* name : {"a", "b"}) {
    findings.add_unreadable(Area::kKinds, status_error(403, "Forbidden",
                                                       std::string("pods \"") + name +
                                                           "\" is forbidden: User \"u\" cannot get resource \"pods\""));
  }

  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all().front().detail == "get pods");
}

TEST_CASE("all missing permissions are one finding that names them, and their areas count as not examined") {
  Findings findings;
  const auto forbidden = [](const std::string& text) {
    return status_error(403, "Forbidden", "x is forbidden: User \"u\" cannot " + text);
  };
  findings.add_unreadable(Area::kKinds, forbidden(R"(get resource "customresourcedefinitions" in API group )"
                                                  R"("apiextensions.k8s.io" at the cluster scope)"));
  findings.add_unreadable(Area::kLease, forbidden(R"(list resource "leases" in API group "coordination.k8s.io" at)"));
  findings.add_unreadable(Area::kManager,
                          forbidden(R"(get resource "pods/proxy" in API group "" in the namespace "sea")"));
  findings.add_unreadable(Area::kApiServer, forbidden(R"(get path "/version")"));

  REQUIRE(findings.all().size() == 1);
  CHECK(findings.all().front().detail ==
        "get customresourcedefinitions.apiextensions.k8s.io, list leases.coordination.k8s.io, get pods/proxy in sea, "
        "get /version");
  CHECK(std::string(findings.all().front().remedy()).find("`manager doctor --role`") != std::string::npos);
  for (const auto area : {Area::kKinds, Area::kLease, Area::kManager}) {
    CHECK(findings.worst(area) == Severity::kUnknown);
    CHECK(findings.is_skipped(area));
  }
  CHECK(findings.worst(Area::kObjects) == Severity::kOk);
}

TEST_CASE("objects with one problem are one finding with their number and a few of their names") {
  Report report;
  for (int i = 1; i <= 12; ++i) {
    report.findings.add("object-degraded", "boats/a/" + std::to_string(i), "CrashLoopBackOff: Pod", "CrashLoopBackOff");
  }
  report.findings.add("object-degraded", "boats/a/13", "NodeLost: Pod", "NodeLost");

  REQUIRE(report.findings.all().size() == 2);
  CHECK(report.findings.omitted("object-degraded") == 0);
  const auto text = report_text(report);
  CHECK(
      text.find("  what     12, for example boats/a/1, boats/a/2, boats/a/3: an object is degraded: CrashLoopBackOff: "
                "Pod\n  what     boats/a/13: ") != std::string::npos);
  const auto json = parsed(report_json(report));
  const auto first = json.root().find("findings").item(0);
  CHECK(first.find("count").integer() == 12);
  CHECK(first.find("others").size() == 2);
}

TEST_CASE(
    "a remedy is a command that can be run: explain takes an object as NAMESPACE/NAME, and kubectl as NAME -n "
    "NAMESPACE") {
  Report report;
  report.findings.add("object-degraded", "boats.sea.example.com/a/x", "NodeLost");
  report.findings.add("fields-of-two-managers", "boats.sea.example.com/a/x", "spec");

  const auto text = report_text(report);

  INFO(text);
  CHECK(text.find("`manager explain boats.sea.example.com a/x`") != std::string::npos);
  CHECK(text.find("`kubectl get boats.sea.example.com x -n a -o yaml --show-managed-fields`") != std::string::npos);
}

TEST_CASE("an area that was not examined is never ok, and no report claims that nothing is wrong then") {
  Report report;
  report.findings.skip(Area::kLease, "not examined: the Deployment of the manager is unknown");

  const auto text = report_text(report);

  INFO(text);
  CHECK(text.find("unknown  lease") != std::string::npos);
  CHECK(text.find("no problem was found") == std::string::npos);
  CHECK(exit_code(report) == 1);
}

TEST_CASE("each cause of a finding has its own remedy, which follows from the error") {
  const auto remedy_of_call = [](const std::string& cause) {
    Findings findings;
    findings.add("webhook-call-failed", "boats", "failed calling webhook \"w\": failed to call webhook: " + cause);
    return std::string(findings.all().front().remedy());
  };
  std::set<std::string> remedies;
  for (
      const char* cause : {
          "unable to load root certificates: unable to parse bytes as PEM block",
          R"(Post "https://a.b.svc:443/x?timeout=8s": tls: failed to verify certificate: x509: certificate signed by unknown authority)",
          R"(Post "https://a.b.svc:443/x": tls: failed to verify certificate: x509: certificate has expired or is not yet valid: now)",
          R"(Post "https://a.b.svc:443/x": tls: failed to verify certificate: x509: certificate is valid for c, not a.b.svc)",
          R"(Post "https://a.b.svc:443/x": dial tcp 10.0.0.1:443: connect: connection refused)",
          R"(Post "https://a.b.svc:443/x": no endpoints available for service "a")",
          R"(Post "https://a.b.svc:443/x": service "a" not found)",
          R"(Post "https://a.b.svc:443/x": context deadline exceeded)",
          R"(Post "https://a.b.svc:443/x": EOF)",
          "the server could not find the requested resource",
      }) {
    INFO(cause);
    const auto remedy = remedy_of_call(cause);
    CHECK(remedy != find_kind("webhook-call-failed")->remedy);
    CHECK(remedies.insert(remedy).second);
  }
  CHECK(remedy_of_call("something new") == find_kind("webhook-call-failed")->remedy);
}

TEST_CASE("every cause belongs to a finding, and has complete texts") {
  for (const auto& cause : finding_causes()) {
    INFO(cause.id << " " << cause.sign);
    CHECK(find_kind(cause.id) != nullptr);
    for (const auto text : {cause.sign, cause.cause, cause.remedy}) {
      CHECK_FALSE(text.empty());
      CHECK_FALSE(text.ends_with('.'));
      CHECK(text.find('|') == std::string_view::npos);
      CHECK(std::ranges::count(text, '`') % 2 == 0);
    }
  }
}

TEST_CASE("the worst finding decides about an area, and about the exit code") {
  Report report;
  CHECK(exit_code(report) == 0);
  report.findings.add("object-paused");
  CHECK(exit_code(report) == 0);
  report.findings.add_unreadable(Area::kLease, status_error(403, "Forbidden"));
  CHECK(exit_code(report) == 1);
  report.findings.add("object-stalled");
  CHECK(exit_code(report) == 1);
  report.findings.add("crd-missing");
  CHECK(exit_code(report) == 2);

  CHECK(report.findings.worst(Area::kObjects) == Severity::kWarning);
  CHECK(report.findings.worst(Area::kLease) == Severity::kUnknown);
  CHECK(report.findings.worst(Area::kMetrics) == Severity::kOk);
}

TEST_CASE("a failed request is a finding of its area, and a lost connection one of the API server") {
  Findings findings;
  findings.add_unreadable(Area::kLease, status_error(403, "Forbidden", "no"));
  findings.add_unreadable(Area::kKinds, status_error(500, "InternalError", "no"));
  findings.add_unreadable(Area::kKinds, malformed_error("not JSON"));
  findings.add_unreadable(Area::kKinds, transport_error("no"));
  findings.add_unreadable(Area::kObjects, transport_error("no"));

  CHECK(ids_of(findings) ==
        std::vector<std::string>{"check-forbidden", "check-failed", "check-failed", "api-server-unreachable"});
  CHECK(findings.all().front().area == Area::kLease);
  CHECK(findings.all().back().area == Area::kApiServer);
}

Report report_with_findings() {
  Report report;
  report.program = "manager";
  report.version = "1.0.0";
  report.server = "https://sea";
  report.ns = "sea-system";
  report.deployment = "sea-controller-manager";
  report.findings.summarize(Area::kKinds, "1 CustomResourceDefinitions");
  report.findings.summarize(Area::kLease, "held");
  report.findings.add("pod-crashing", "pods/sea-1", "container manager");
  report.findings.add("metrics-off");
  report.findings.add("pod-crashing", "pods/sea-2", "container manager");
  return report;
}

TEST_CASE("the text of a report has a line for each area, and cause and remedy of each finding") {
  const auto text = report_text(report_with_findings());

  CHECK(
      text ==
      "manager doctor 1.0.0, https://sea, deployment sea-system/sea-controller-manager\n\n"
      "error    deployment   a container ends again and again\n"
      "ok       kinds        1 CustomResourceDefinitions\n"
      "ok       lease        held\n"
      "note     metrics      metrics are off\n"
      "\nerror    pod-crashing\n"
      "  what     pods/sea-1: a container ends again and again: container manager\n"
      "  what     pods/sea-2: a container ends again and again: container manager\n"
      "  cause    an invalid flag, a lost lease, a failed assertion, or an image of another architecture: the previous "
      "log has the cause\n"
      "  remedy   `kubectl logs sea-1 -n sea-system --previous`; after `exec format error`: `make docker-buildx`\n"
      "\nnote     metrics-off\n"
      "  what     metrics are off\n"
      "  cause    `--metrics-bind-address=0`\n"
      "  remedy   nothing, if this is intended\n"
      "\n2 errors, 1 note\n");
}

TEST_CASE("the text of a report without findings reports that no problem was found") {
  CHECK(report_text({}).ends_with("no problem was found\n"));
}

TEST_CASE("the JSON of a report has its findings with the words of the table") {
  const auto document = parsed(report_json(report_with_findings()));

  const auto root = document.root();
  CHECK(root.find("result").string() == "error");
  CHECK(root.find("areas").size() == kAreas);
  const auto finding = root.find("findings").item(0);
  CHECK(finding.find("id").string() == "pod-crashing");
  CHECK(finding.find("severity").string() == "error");
  CHECK(finding.find("area").string() == "deployment");
  CHECK(finding.find("remedy").string()->starts_with("`kubectl logs sea-1 -n sea-system --previous`"));
  CHECK(finding.find("cause").string() == find_kind("pod-crashing")->cause);
  CHECK(root.find("omitted").size() == 0);
}

}  // namespace
}  // namespace keelson::doctor
