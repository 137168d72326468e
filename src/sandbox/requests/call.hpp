// A request as the endpoints process it, and their reply.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/detail/sandbox/user_info.hpp"
#include "keelson/kube/client.hpp"
#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/requests/rejection_or.hpp"

namespace keelson::sandbox {

class AdmissionSession;
class Authorizer;
struct Listing;

struct Call {
  UserInfo user;
  kube::Verb verb = kube::Verb::kGet;
  const ServedKind* kind = nullptr;
  const ServedKind* view = nullptr;  // the kind that was named, if it is stored as another version: `kind`
  kube::Key key;
  Subresource subresource = Subresource::kNone;
  std::map<std::string, std::string> query;
  kube::PatchType patch_type = kube::PatchType::kMerge;
  bool is_strategic = false;  // a strategic merge patch, which kube::PatchType lacks because our clients do not send it
  bool hears_warnings = false;
  std::string body;
  bool has_generated_name = false;        // by the server, from generateName
  AdmissionSession* admission = nullptr;  // null: no webhook is called
  Authorizer* authorizer = nullptr;       // null: the request is the server's own, and everything is allowed

  [[nodiscard]] std::string parameter(const std::string& name) const {
    auto found = query.find(name);
    return found == query.end() ? std::string() : found->second;
  }
  [[nodiscard]] bool is_set(const std::string& name) const {
    auto value = parameter(name);
    return value == "true" || value == "1";
  }
  [[nodiscard]] bool is_dry_run() const { return parameter("dryRun") == "All"; }
  [[nodiscard]] const kube::Resource& resource() const { return kind->resource; }
};

struct Answer {
  int code = 200;
  std::string body;
  std::vector<std::string> warnings = {};
  std::shared_ptr<const Listing> list = {};  // replaces `body` if not null
};

// A Status with status Success.
[[nodiscard]] Answer succeeded(int code);

// The object in the body of the call; 400 if there is none.
[[nodiscard]] RejectionOr<Tree> object_in(const Call& call);

}  // namespace keelson::sandbox
