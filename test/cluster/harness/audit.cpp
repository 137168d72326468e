#include "test/cluster/harness/audit.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "keelson/json/value.hpp"
#include "keelson/schema/time.hpp"
#include "test/support/json_texts.hpp"

namespace keelson::testing {

namespace {

std::string audit_file() {
  const char* kubeconfig = std::getenv("KUBECONFIG");
  return (std::filesystem::path(kubeconfig).parent_path() / "audit.log").string();
}

std::chrono::microseconds time_of(json::View text) {
  auto time = kube::parse_time(text.string().value_or(""));
  if (!time) return {};
  return std::chrono::floor<std::chrono::microseconds>(time->time_since_epoch());
}

AuditedRequest request_of(json::View event) {
  AuditedRequest request;
  request.received = time_of(event.find("requestReceivedTimestamp"));
  request.answered = time_of(event.find("stageTimestamp"));
  request.user = string_or_empty(event.at({"user", "username"}));
  request.agent = string_or_empty(event.find("userAgent"));
  request.verb = string_or_empty(event.find("verb"));
  const auto reference = event.find("objectRef");
  request.group = string_or_empty(reference.find("apiGroup"));
  request.resource = string_or_empty(reference.find("resource"));
  const auto subresource = string_or_empty(reference.find("subresource"));
  if (!subresource.empty()) request.resource += "/" + subresource;
  request.name = string_or_empty(reference.find("name"));
  request.holder = string_or_empty(event.at({"requestObject", "spec", "holderIdentity"}));
  request.code = event.at({"responseStatus", "code"}).integer().value_or(0);
  const auto uri = string_or_empty(event.find("requestURI"));
  request.is_dry_run = uri.ends_with("dryRun=All") || uri.find("dryRun=All&") != std::string::npos;
  return request;
}

// The events logged from there on whose request fulfills `of`.
template <class Of>
std::vector<AuditedRequest> requests_from(std::size_t from, const std::string& text_in_line, Of of) {
  std::vector<AuditedRequest> requests;
  std::ifstream log(audit_file());
  log.seekg(static_cast<std::streamoff>(from));
  for (std::string line; std::getline(log, line);) {
    if (line.find(text_in_line) == std::string::npos) continue;
    auto document = json::Document::parse(line);
    if (document && of(document->root())) requests.push_back(request_of(document->root()));
  }
  auto by_answer = [](const auto& a, const auto& b) { return a.answered < b.answered; };
  std::ranges::stable_sort(requests, by_answer);
  return requests;
}

}  // namespace

std::size_t audit_end() { return std::filesystem::file_size(audit_file()); }

std::vector<AuditedRequest> audited(const std::string& ns, std::size_t from) {
  return requests_from(from, "\"namespace\":\"" + ns + "\"", [&ns](json::View event) {
    return event.at({"objectRef", "namespace"}).string() == ns && event.find("stage").string() == "ResponseComplete";
  });
}

std::vector<AuditedRequest> audited_by(const std::string& agent, std::size_t from) {
  return requests_from(from, "\"userAgent\":\"" + agent, [](json::View event) {
    const auto stage = event.find("verb").string() == "watch" ? "ResponseStarted" : "ResponseComplete";
    return event.find("stage").string() == stage;
  });
}

std::vector<AuditedRequest> audited_of(const std::string& user, std::size_t from) {
  return requests_from(from, "\"" + user + "\"", [&user](json::View event) {
    return event.at({"user", "username"}).string() == user;
  });
}

}  // namespace keelson::testing
