#include "test/cluster/harness/doctor.hpp"

#include <catch2/catch_test_macros.hpp>

#include "keelson/detail/doctor/findings.hpp"
#include "keelson/json/value.hpp"
#include "test/cluster/harness/cluster.hpp"
#include "test/cluster/harness/deployment.hpp"
#include "test/cluster/harness/process.hpp"

namespace keelson::testing {

namespace {

std::set<std::string>& all_seen() {
  static std::set<std::string> ids;
  return ids;
}

}  // namespace

// Standard error has the warnings of the API server.
Doctor doctor(const std::vector<std::string>& arguments) {
  std::vector<std::string> command{"sh",     "-c",           "exec \"$@\" 2>/dev/null", "sh", KEELSON_MANAGER,
                                   "doctor", "--output=json"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const auto ended = run(command);
  Doctor result{ended.exit_code, ended.text, {}, {}};
  const auto report = json::Document::parse(ended.text);
  INFO(ended.text);
  REQUIRE(report.has_value());
  for (const auto finding : report->root().find("findings").items()) {
    std::string id(finding.find("id").string().value_or(""));
    if (finding.find("severity").string() != "note") result.problems.insert(id);
    all_seen().insert(id);
    result.ids.insert(std::move(id));
  }
  return result;
}

int exit_code_of(const std::string& id) {
  const auto severity = doctor::find_kind(id)->severity;
  if (severity == doctor::Severity::kError) return 2;
  return severity == doctor::Severity::kNote ? 0 : 1;
}

void expect_finding(const std::string& id, const std::function<void()>& cause, const std::function<void()>& end,
                    const std::vector<std::string>& arguments) {
  INFO(id);
  cause();
  const auto result = doctor(arguments);
  INFO(result.output);
  CHECK(result.found(id));
  CHECK(result.exit_code >= exit_code_of(id));
  if (end) end();
}

void patch_in_system(const std::string& object, const std::string& body, const std::string& type,
                     const std::string& subresource) {
  std::vector<std::string> command{"patch", object, "-n", Deployment::kNamespace, "--type=" + type, "-p", body};
  if (!subresource.empty()) command.push_back("--subresource=" + subresource);
  kubectl(command);
}

const std::set<std::string>& seen() { return all_seen(); }

}  // namespace keelson::testing
