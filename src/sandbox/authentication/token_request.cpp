#include "src/sandbox/authentication/token_request.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/schema/identity.hpp"
#include "src/sandbox/fields/field_validation.hpp"
#include "src/sandbox/kinds/object_form.hpp"
#include "src/sandbox/storage/committer.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::int64_t kDefaultExpiration = 3600;
constexpr std::int64_t kShortestExpiration = 600;
constexpr std::int64_t kLongestExpiration = std::int64_t{1} << 32;
// The kubelet requests this time for the token of a pod; the token is valid for a year, for clients that do not read it
// again.
constexpr std::int64_t kPodExpiration = 3607;
constexpr std::int64_t kExtendedExpiration = std::int64_t{365} * 24 * 3600;

const kube::Resource& token_requests() {
  static const kube::Resource resource("authentication.k8s.io", "v1", "TokenRequest", "tokenrequests");
  return resource;
}

RejectionOr<void> check_metadata(const Call& call, const Tree& request) {
  auto name = request.text_at({"metadata", "name"});
  auto ns = request.text_at({"metadata", "namespace"});
  if (!ns.empty() && ns != call.key.ns) {
    return bad_request("the namespace of the provided object does not match the namespace sent on the request");
  }
  if (name.empty() || name == call.key.name) return {};
  return invalid_object(token_requests(), call.key.name,
                        {{FieldReason::kInvalid, "metadata.name", base::quote_go(name),
                          "must match the service account name if specified"}});
}

RejectionOr<void> check_expiration(std::int64_t seconds) {
  const char* why = nullptr;
  if (seconds < kShortestExpiration) why = "may not specify a duration less than 10 minutes";
  if (seconds > kLongestExpiration) why = "may not specify a duration larger than 2^32 seconds";
  if (why == nullptr) return {};
  return invalid_object(token_requests(), "",
                        {{FieldReason::kInvalid, "spec.expirationSeconds", std::to_string(seconds), why}});
}

// The details of the conflict have the kind where others have the plural.
Rejection wrong_uid(const std::string& group, const std::string& kind, const std::string& name,
                    const std::string& why) {
  return conflict(kube::Resource(group, "", "", kind), name, why);
}

Tree name_and_uid(const kube::Object& object) { return Tree::object({{"name", object.name()}, {"uid", object.uid()}}); }

// The objects that the token is bound to, as its private claims.
class Binding {
 public:
  Binding(const World& world, const Call& call) : world_(world), call_(call) {}

  [[nodiscard]] RejectionOr<void> read(const Tree& reference) {
    auto version = reference.text_at({"apiVersion"});
    auto kind = reference.text_at({"kind"});
    auto name = reference.text_at({"name"});
    const bool is_core = version.find('/') == std::string::npos;
    const auto* resource = is_core && kind == "Pod"      ? &pods_
                           : is_core && kind == "Node"   ? &nodes_
                           : is_core && kind == "Secret" ? &secrets_
                                                         : nullptr;
    if (resource == nullptr) {
      auto type = (is_core ? "/" + version : version) + ", Kind=" + kind;
      return bad_request("cannot bind token to object of type " + type);
    }
    if (name.empty()) return bad_request("Name parameter required.");
    const auto* entry = find(*resource, name);
    if (entry == nullptr) return not_found(*resource, name);
    if (kind == "Pod" && entry->stored().tree.text_at({"spec", "serviceAccountName"}) != call_.key.name) {
      return bad_request("cannot bind token for serviceaccount " + base::quote_go(call_.key.name) +
                         " to pod running with different serviceaccount name.");
    }
    auto uid = reference.text_at({"uid"});
    if (!uid.empty() && uid != entry->object.uid()) {
      return wrong_uid("", kind, name,
                       "the UID in the bound object reference (" + uid +
                           ") does not match the UID in record. The object might have been deleted and then recreated");
    }
    if (kind == "Node") node = name_and_uid(entry->object);
    if (kind == "Secret") secret = name_and_uid(entry->object);
    if (kind != "Pod") return {};
    pod = name_and_uid(entry->object);
    auto host = entry->stored().tree.text_at({"spec", "nodeName"});
    const auto* found = host.empty() ? nullptr : find(nodes_, host);
    if (found != nullptr) node = name_and_uid(found->object);
    if (!host.empty() && found == nullptr) node = Tree::object({{"name", host}});
    return {};
  }

  Tree pod;
  Tree node;
  Tree secret;

 private:
  [[nodiscard]] const Store::Entry* find(const kube::Resource& resource, const std::string& name) const {
    const auto* kind = world_.kinds.find(resource);
    return world_.store.find(*kind, kube::Key(resource.namespaced ? call_.key.ns : "", name));
  }

  const World& world_;
  const Call& call_;
  const kube::Resource nodes_ = kube::nodes();
  const kube::Resource pods_ = kube::pods();
  const kube::Resource secrets_ = kube::secrets();
};

Tree private_claims(const Call& call, const kube::Object& account, const Binding& bound) {
  auto claims = Tree::object({{"namespace", call.key.ns}});
  if (!bound.node.is_null()) claims["node"] = bound.node;
  if (!bound.pod.is_null()) claims["pod"] = bound.pod;
  if (!bound.secret.is_null()) claims["secret"] = bound.secret;
  claims["serviceaccount"] = name_and_uid(account);
  return claims;
}

bool is_for_server_only(const Tree& audiences) {
  return audiences.items().size() == 1 && audiences.items().front() == Tree(kTokenIssuer);
}

// The spec, with defaults.
Tree completed_spec(const Tree& request) {
  const Tree* spec = request.find("spec");
  auto value_of = [spec](const char* name) {
    const Tree* value = spec != nullptr ? spec->find(name) : nullptr;
    return value != nullptr ? *value : Tree();
  };
  auto audiences = value_of("audiences");
  if (audiences.is_empty()) audiences = Tree::array({kTokenIssuer});
  auto expiration = value_of("expirationSeconds");
  if (expiration.is_null()) expiration = kDefaultExpiration;
  return Tree::object({{"audiences", std::move(audiences)},
                       {"expirationSeconds", std::move(expiration)},
                       {"boundObjectRef", value_of("boundObjectRef")}});
}

// The metadata of the reply: what the client sent, and what the server sets.
Tree completed_metadata(const World& world, const Call& asked, const kube::Object& account, Tree request) {
  request["spec"].set_default("expirationSeconds", kDefaultExpiration);
  pass_through_type(*asked.kind, request);
  const auto managers =
      after_update(zero_object(*asked.kind), request, {}, manager_of(world, asked, false), asked.kind->merge_type());
  auto metadata = std::move(request["metadata"]);
  metadata["name"] = asked.key.name;
  metadata["namespace"] = asked.key.ns;
  metadata["uid"] = account.uid();
  metadata["creationTimestamp"] = world.time_text();
  if (!managers.empty()) metadata["managedFields"] = managed_fields(managers);
  return metadata;
}

RejectionOr<Answer> issued(World& world, ServiceAccountTokens& tokens, const Call& call, const ServedKind& accounts,
                           Tree request) {
  KEELSON_TRY(check_metadata(call, request));
  const auto* account = world.store.find(accounts, call.key);
  if (account == nullptr) return not_found(accounts.resource, call.key.name);
  auto uid = request.text_at({"metadata", "uid"});
  if (!uid.empty() && uid != account->object.uid()) {
    return wrong_uid("authentication.k8s.io", "TokenRequest", call.key.name,
                     "the UID in the token request (" + uid + ") does not match the UID of the service account (" +
                         std::string(account->object.uid()) + ")");
  }
  auto spec = completed_spec(request);
  auto seconds = spec.integer_at({"expirationSeconds"});
  KEELSON_TRY(check_expiration(seconds));
  Binding bound(world, call);
  if (const auto& reference = *spec.find("boundObjectRef"); !reference.is_null()) {
    KEELSON_TRY(bound.read(reference));
  }
  auto now = std::chrono::floor<std::chrono::seconds>(world.clock.wall_now()).time_since_epoch().count();
  auto claims = private_claims(call, account->object, bound);
  const bool is_extended =
      !bound.pod.is_null() && seconds == kPodExpiration && is_for_server_only(*spec.find("audiences"));
  if (is_extended) claims["warnafter"] = now + seconds;
  auto token = tokens.issue(Tree::object({{"aud", *spec.find("audiences")},
                                          {"exp", now + (is_extended ? kExtendedExpiration : seconds)},
                                          {"iat", now},
                                          {"iss", ""},
                                          {"jti", world.random.uuid()},
                                          {"kubernetes.io", std::move(claims)},
                                          {"nbf", now},
                                          {"sub", "system:serviceaccount:" + call.key.ns + ":" + call.key.name}}));
  if (!token) return rejection(500, "InternalError", "failed to generate token: " + token.error().text);
  auto status =
      Tree::object({{"token", *token}, {"expirationTimestamp", world.time_text(std::chrono::seconds(seconds))}});
  auto answer = Tree::object({{"kind", "TokenRequest"},
                              {"apiVersion", "authentication.k8s.io/v1"},
                              {"metadata", completed_metadata(world, call, account->object, std::move(request))},
                              {"spec", std::move(spec)},
                              {"status", std::move(status)}});
  return Answer{201, answer.text()};
}

}  // namespace

RejectionOr<Answer> request_token(World& world, ServiceAccountTokens& tokens, const Call& call) {
  static const ServedKind kind{.resource = token_requests()};
  auto asked = call;
  asked.kind = &kind;
  KEELSON_LET(auto request, object_in(asked));
  KEELSON_TRY(check_type(asked, request));
  FieldReading fields(asked);
  KEELSON_TRY(fields.read(request));
  return fields.with_warnings(issued(world, tokens, asked, *call.kind, std::move(request)));
}

}  // namespace keelson::sandbox
