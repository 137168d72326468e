// A request as the endpoints process it, and their reply.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/detail/sandbox/user_info.hpp"
#include "keelson/kube/client.hpp"
#include "src/sandbox/kinds/served_kind.hpp"
#include "src/sandbox/requests/rejection_or.hpp"

namespace keelson::sandbox {

class AdmissionSession;
class Authorizer;
struct Listing;

// A boolean parameter of a query. As in Kubernetes, any text but "0" and "false" is true, even an empty one.
[[nodiscard]] bool is_true_parameter(std::string_view value);

// The keys of a YAML body that occur again in their map: `line 7: key "a" already set in map`. nullopt: not a YAML
// body.
using RepeatedKeys = std::optional<std::vector<std::string>>;

struct Call {
  UserInfo user;
  kube::Verb verb = kube::Verb::kGet;
  const ServedKind* kind = nullptr;
  const ServedKind* view = nullptr;  // the kind that was named, if it is stored as another version: `kind`
  kube::Key key;
  Subresource subresource = Subresource::kNone;
  std::multimap<std::string, std::string> query;
  kube::PatchType patch_type = kube::PatchType::kMerge;
  bool is_strategic = false;  // a strategic merge patch, which kube::PatchType lacks because our clients do not send it
  bool hears_warnings = false;
  RepeatedKeys repeated_keys = {};
  std::string body;
  bool has_generated_name = false;        // by the server, from generateName
  AdmissionSession* admission = nullptr;  // null: no webhook is called
  Authorizer* authorizer = nullptr;       // null: the request is the server's own, and everything is allowed

  // The first value of a parameter, as in Kubernetes; null if the query lacks it.
  [[nodiscard]] const std::string* given(const std::string& name) const {
    const auto found = query.lower_bound(name);
    return found == query.end() || found->first != name ? nullptr : &found->second;
  }
  [[nodiscard]] std::string parameter(const std::string& name) const {
    const auto* value = given(name);
    return value == nullptr ? std::string() : *value;
  }
  [[nodiscard]] bool is_set(const std::string& name) const {
    const auto* value = given(name);
    return value != nullptr && is_true_parameter(*value);
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

// A write of the server itself, or of one of its controllers, as this user.
[[nodiscard]] Call own_call(const std::string& user, const ServedKind& kind, const kube::Key& key);

// A Status with status Success.
[[nodiscard]] Answer succeeded(int code);

// Whether DeleteOptions, or the deleteOptions of an Eviction, request a dry run.
[[nodiscard]] bool is_dry_run(const Tree& options);

// The object in the body of the call; 400 if there is none.
[[nodiscard]] RejectionOr<Tree> object_in(const Call& call);

// Sets the apiVersion and kind of the body if they are absent; 400 if it is of another kind than that of the call.
[[nodiscard]] RejectionOr<void> check_type(const Call& call, Tree& object);

}  // namespace keelson::sandbox
