// Writes of built-in kinds are accepted or rejected as by kube-apiserver: record-invalid-writes recorded the answers.
#include <catch2/catch_test_macros.hpp>
#include <map>
#include <set>
#include <string>

#include "keelson/detail/json/patch.hpp"
#include "test/support/data_rows.hpp"
#include "test/unit/sandbox/http_talk.hpp"

namespace keelson::sandbox {
namespace {

struct Written {
  std::string path;  // of the list
  std::string body;
  std::string name;
};

// The code, and the reason and the first line of the message of a rejection.
std::string short_answer(const net::Response& response) {
  auto answer = std::to_string(response.status);
  if (response.status < 400) return answer;
  const auto status = Tree::parse(response.body);
  REQUIRE(status);
  for (const char* field : {"reason", "message"}) {
    const auto text = status->text_at({field});
    if (!text.empty()) answer += " " + text;
  }
  return answer.substr(0, answer.find('\n'));
}

class Writes {
 public:
  Writes() {
    REQUIRE(talk_.send("POST", "/api/v1/namespaces", R"({"metadata":{"name":"valid-records"}})").status == 201);
  }

  void add(const std::string& name, Written written) { bases_[name] = std::move(written); }

  std::string create(const std::string& base, const std::string& patch) {
    const auto& written = bases_.at(base);
    if (created_.erase(base) > 0) {
      REQUIRE(talk_.send("DELETE", written.path + "/" + written.name + "?gracePeriodSeconds=0").status == 200);
      talk_.pass(std::chrono::seconds(5));  // a namespace is removed later
    }
    const auto body = json::merge_patch(written.body, patch);
    REQUIRE(body);
    return short_answer(talk_.send("POST", written.path + "?dryRun=All", *body));
  }

  std::string update(const std::string& base, const std::string& patch, const std::string& subresource) {
    const auto& written = bases_.at(base);
    if (created_.insert(base).second) {
      INFO(base);
      REQUIRE(short_answer(talk_.send("POST", written.path, written.body)) == "201");
    }
    return short_answer(talk_.send("PATCH", written.path + "/" + written.name + subresource + "?dryRun=All", patch,
                                   {{"Content-Type", "application/merge-patch+json"}}));
  }

 private:
  fixtures::HttpTalk talk_;
  std::map<std::string, Written> bases_;
  std::set<std::string> created_;
};

void check_writes(const std::string& file) {
  Writes writes;
  const auto rows =
      testing::data_rows(file, {"base", "path", "body", "of", "patch", "create", "update", "status", "differs"});
  for (const auto& row : rows) {
    if (row["base"].empty()) continue;
    const auto body = Tree::parse(row["body"]);
    REQUIRE(body);
    writes.add(row["base"], {row["path"], row["body"], body->text_at({"metadata", "name"})});
  }
  for (const auto& row : rows) {
    CAPTURE(row.place(), row["of"], row["patch"]);
    // `differs` names the reason why the sandbox answers differently.
    if (row["of"].empty() || !row["differs"].empty()) continue;
    if (!row["create"].empty()) CHECK(writes.create(row["of"], row["patch"]) == row["create"]);
    if (!row["update"].empty()) CHECK(writes.update(row["of"], row["patch"], "") == row["update"]);
    if (!row["status"].empty()) CHECK(writes.update(row["of"], row["patch"], "/status") == row["status"]);
  }
}

TEST_CASE("writes of built-in kinds are validated as by the API server, with its messages") {
  check_writes("test/unit/sandbox/invalid_writes.txt");
}

TEST_CASE("writes of cluster-scoped kinds and of devices are validated as by the API server") {
  check_writes("test/unit/sandbox/invalid_cluster_writes.txt");
}

}  // namespace
}  // namespace keelson::sandbox
