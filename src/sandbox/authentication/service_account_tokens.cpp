#include "src/sandbox/authentication/service_account_tokens.hpp"

#include <algorithm>

#include "keelson/base/try.hpp"
#include "keelson/schema/identity.hpp"
#include "src/sandbox/authentication/jwt.hpp"
#include "src/sandbox/authorization/policy_rule.hpp"
#include "src/sandbox/authorization/service_account_name.hpp"
#include "src/sandbox/requests/rejection.hpp"

namespace keelson::sandbox {

namespace {

constexpr std::size_t kRememberedTokens = 1000;
// The tolerated difference between clocks, and the time for which a deleted object still counts.
constexpr std::int64_t kLeewaySeconds = 60;
constexpr const char* kPrivateClaims = "kubernetes.io";

std::vector<std::string> in_both(const std::vector<std::string>& one, const std::vector<std::string>& other) {
  std::vector<std::string> both;
  std::copy_if(one.begin(), one.end(), std::back_inserter(both),
               [&other](const std::string& text) { return std::ranges::find(other, text) != other.end(); });
  return both;
}

std::int64_t unix_seconds(async::WallTime time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

// An object that a token is bound to, and the name of its kind in errors.
struct Bound {
  std::string_view claim;
  kube::Resource resource;
  std::string noun;
};

UserInfo user_of_claims(const Tree& claims) {
  auto text = [&claims](const char* object, const char* field) {
    return claims.text_at({kPrivateClaims, object, field});
  };
  kube::Key account(claims.text_at({kPrivateClaims, "namespace"}), text("serviceaccount", "name"));
  auto user = user_named(service_account_user(account));
  user.uid = text("serviceaccount", "uid");
  auto add = [&user](const char* key, const std::string& value) {
    if (!value.empty()) user.extra[std::string("authentication.kubernetes.io/") + key] = {value};
  };
  add("credential-id", "JTI=" + claims.text_at({"jti"}));
  add("pod-name", text("pod", "name"));
  add("pod-uid", text("pod", "uid"));
  add("node-name", text("node", "name"));
  add("node-uid", text("node", "uid"));
  return user;
}

}  // namespace

Result<std::string> ServiceAccountTokens::issue(Tree claims) {
  if (!key_) {
    KEELSON_LET(auto made, tls::SigningKey::make());
    key_ = std::move(made);
  }
  claims["iss"] = kTokenIssuer;
  return make_jwt(claims, *key_);
}

bool ServiceAccountTokens::is_candidate(const std::string& token) {
  auto claims = read_jwt(token);
  return claims && claims->text_at({"iss"}) == kTokenIssuer;
}

Result<TokenOwner> ServiceAccountTokens::owner_of(const std::string& token, const std::vector<std::string>& audiences) {
  KEELSON_LET(auto claims, verified_claims(token));
  const auto asked = audiences.empty() ? std::vector<std::string>{kTokenIssuer} : audiences;
  const auto own = claims.texts_at({"aud"});
  auto common = in_both(own, asked);
  if (common.empty()) {
    return invalid_error("token audiences " + quoted_list(own) + " is invalid for the target audiences " +
                         quoted_list(asked));
  }
  auto now = unix_seconds(world_.clock.wall_now());
  if (now - kLeewaySeconds > claims.integer_at({"exp"})) return invalid_error("service account token has expired");
  if (now + kLeewaySeconds < claims.integer_at({"nbf"})) return invalid_error("service account token is not valid yet");
  if (auto gone = check_objects(claims)) return std::move(*gone);
  return TokenOwner{user_of_claims(claims), std::move(common)};
}

Result<Tree> ServiceAccountTokens::verified_claims(const std::string& token) {
  auto known = verified_.find(token);
  if (known != verified_.end()) return known->second;
  if (!key_ || !is_signed_by(token, *key_)) return invalid_error("go-jose/go-jose: error in cryptographic primitive");
  auto claims = read_jwt(token);
  if (!claims) return invalid_error("service account token claims could not be validated");
  if (verified_.size() >= kRememberedTokens) verified_.clear();
  verified_.emplace(token, *claims);
  return std::move(*claims);
}

std::optional<Error> ServiceAccountTokens::check_objects(const Tree& claims) const {
  auto ns = claims.text_at({kPrivateClaims, "namespace"});
  // If a token is bound to a pod, its node is only informational.
  const bool has_pod = claims.at({kPrivateClaims, "pod"}) != nullptr;
  const Bound all[] = {{"serviceaccount", kube::service_accounts(), "service account"},
                       {"secret", kube::secrets(), "secret"},
                       {"pod", kube::pods(), "pod"},
                       {"node", kube::nodes(), "node"}};
  for (const auto& bound : all) {
    const bool is_account = bound.claim == "serviceaccount";
    const Tree* reference = claims.at({kPrivateClaims, bound.claim});
    if (reference == nullptr || (has_pod && bound.claim == "node")) continue;
    auto name = reference->text_at({"name"});
    const auto* kind = world_.kinds.find(bound.resource);
    const auto* entry = world_.store.find(*kind, kube::Key(bound.resource.namespaced ? ns : "", name));
    if (entry == nullptr && is_account) return invalid_error(not_found(bound.resource, name).message());
    if (entry == nullptr) return invalid_error("service account token has been invalidated");
    auto uid = std::string(entry->object.uid());
    if (uid != reference->text_at({"uid"})) {
      auto claimed = is_account ? "claim" : "service account " + bound.noun + " ref claim";
      return invalid_error(bound.noun + " UID (" + uid + ") does not match " + claimed + " (" +
                           reference->text_at({"uid"}) + ")");
    }
    if (!entry->object.deleting()) continue;
    auto deleted = kube::parse_time(entry->stored().tree.text_at({"metadata", "deletionTimestamp"}));
    const bool is_gone = deleted && unix_seconds(*deleted) < unix_seconds(world_.clock.wall_now()) - kLeewaySeconds;
    if (is_gone) return invalid_error("service account token has been invalidated");
  }
  return std::nullopt;
}

}  // namespace keelson::sandbox
