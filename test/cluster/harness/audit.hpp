// The API server's audit log as values: who asked for what, and when.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace keelson::test {

struct AuditedRequest {
  std::chrono::microseconds received{};  // since 1970
  std::chrono::microseconds answered{};
  std::string user;
  std::string agent;  // the whole User-Agent
  std::string verb;
  std::string group;     // "apps"; empty: core
  std::string resource;  // "deployments", "memcacheds/status"
  std::string name;
  std::string holder;  // of a Lease that was written: its new holderIdentity
  std::int64_t code = 0;

  [[nodiscard]] bool is_done_write() const { return verb != "get" && verb != "list" && verb != "watch" && code < 300; }
};

// Where the log ends now.
[[nodiscard]] std::size_t audit_end();
// Every answered request about this namespace that was logged from there on, in the order of the answers.
[[nodiscard]] std::vector<AuditedRequest> audited(const std::string& ns, std::size_t from);
// The same of every request of this user; a watch is told of when it begins and when it ends.
[[nodiscard]] std::vector<AuditedRequest> audited_of(const std::string& user, std::size_t from);

}  // namespace keelson::test
