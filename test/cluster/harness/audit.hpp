// The API server's audit log as values: user, request and time.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace keelson::testing {

struct AuditedRequest {
  std::chrono::microseconds received{};  // since 1970
  std::chrono::microseconds answered{};
  std::string user;
  std::string agent;  // the whole User-Agent
  std::string verb;
  std::string group;     // "apps"; empty: core
  std::string resource;  // "deployments", "memcacheds/status"
  std::string name;
  std::string holder;  // the new holderIdentity of a Lease that was written
  std::int64_t code = 0;
  bool is_dry_run = false;  // dryRun=All in the query

  [[nodiscard]] bool is_write() const { return verb != "get" && verb != "list" && verb != "watch"; }
  [[nodiscard]] bool is_done_write() const { return is_write() && !is_dry_run && code < 300; }
};

// The current end of the log.
[[nodiscard]] std::size_t audit_end();
// Every answered request for this namespace that was logged from there on, in the order of the replies.
[[nodiscard]] std::vector<AuditedRequest> audited(const std::string& ns, std::size_t from);
// The same for every request whose User-Agent begins with `agent`.
[[nodiscard]] std::vector<AuditedRequest> audited_by(const std::string& agent, std::size_t from);
// The same for every request of this user; a watch is logged when it begins and when it ends.
[[nodiscard]] std::vector<AuditedRequest> audited_of(const std::string& user, std::size_t from);

}  // namespace keelson::testing
