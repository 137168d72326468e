#include "src/webhook/serving_secret.hpp"

#include <set>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/base64.hpp"
#include "keelson/detail/kube/fields.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::webhook {

namespace {

constexpr std::string_view kOurs = "webhook-certificate";
constexpr std::string_view kNextSince = "next-certificate-since";

// Keys of the Secret's data; ca.crt is the whole bundle, for users and tools.
struct IdentityKeys {
  const char* certificate;
  const char* key;
  const char* authority;
};
constexpr IdentityKeys kCurrent{"tls.crt", "tls.key", "authority.crt"};
constexpr IdentityKeys kNext{"next.crt", "next.key", "next-authority.crt"};
constexpr const char* kBundle = "ca.crt";
constexpr const char* kFormer = "former-authority.crt";

void write_data(json::Writer& writer, std::string_view name, const std::string& bytes) {
  writer.field(name, base::base64_encode(bytes));
}

void write_identity(json::Writer& writer, const IdentityKeys& keys, const tls::ServingCertificate& identity) {
  write_data(writer, keys.certificate, identity.certificate_pem);
  write_data(writer, keys.key, identity.key_pem);
  write_data(writer, keys.authority, identity.authority_pem);
}

std::string read_data(json::View data, std::string_view name) {
  auto decoded = base::base64_decode(data.find(name).string().value_or(""));
  return decoded ? *decoded : std::string();
}

std::optional<tls::ServingCertificate> read_identity(json::View data, const IdentityKeys& keys) {
  tls::ServingCertificate identity{read_data(data, keys.certificate), read_data(data, keys.key),
                                   read_data(data, keys.authority)};
  const bool is_whole =
      !identity.certificate_pem.empty() && !identity.key_pem.empty() && !identity.authority_pem.empty();
  return is_whole ? std::optional(std::move(identity)) : std::nullopt;
}

void write_metadata(json::Writer& writer, const ServingState& state, const kube::Key& key,
                    const std::optional<kube::Object>& before, const kube::OperatorName& name) {
  writer.key("metadata").begin_object();
  writer.field("name", key.name).field("namespace", key.ns);
  if (before) writer.field("uid", before->uid()).field("resourceVersion", std::to_string(before->resource_version()));
  writer.key("annotations").begin_object().field(name.annotation(kOurs), "self-signed");
  if (state.next) writer.field(name.annotation(kNextSince), kube::format_time(state.next_since));
  writer.end_object().end_object();
}

// A Secret's type is immutable, so the type of the existing Secret is used. config/default contains an Opaque one,
// because kubernetes.io/tls requires a certificate, with which every `kubectl apply` would overwrite ours.
std::string type_of(const std::optional<kube::Object>& before) {
  constexpr std::string_view kTls = "kubernetes.io/tls";
  if (!before) return std::string(kTls);
  const auto fields = kube::Fields::of(*before);
  return std::string(fields ? fields->root().find("type").string().value_or(kTls) : kTls);
}

}  // namespace

std::string ServingState::bundle() const {
  std::set<std::string> authorities = {current.authority_pem};
  if (next) authorities.insert(next->authority_pem);
  if (!former_authority.empty()) authorities.insert(former_authority);
  std::string bundle;
  for (const auto& authority : authorities) bundle += authority;
  return bundle;
}

std::string secret_text(const ServingState& state, const kube::Key& key, const std::optional<kube::Object>& before,
                        const kube::OperatorName& name) {
  json::Writer writer;
  writer.begin_object().field("apiVersion", "v1").field("kind", "Secret");
  write_metadata(writer, state, key, before, name);
  writer.field("type", type_of(before)).key("data").begin_object();
  write_identity(writer, kCurrent, state.current);
  if (state.next) write_identity(writer, kNext, *state.next);
  write_data(writer, kBundle, state.bundle());
  if (!state.former_authority.empty()) write_data(writer, kFormer, state.former_authority);
  writer.end_object().end_object();
  return std::move(writer).take();
}

bool is_ours(const kube::Object& secret, const kube::OperatorName& name) {
  return secret.annotation(name.annotation(kOurs)).has_value();
}

Result<ServingState> parse_secret(const kube::Object& secret, const kube::OperatorName& name) {
  KEELSON_LET(auto fields, kube::Fields::of(secret));
  const auto data = fields.root().find("data");
  auto current = read_identity(data, kCurrent);
  if (!current) return malformed_error("the certificate, its key or its CA is missing");
  ServingState state;
  state.current = std::move(*current);
  state.former_authority = read_data(data, kFormer);
  const auto since = kube::parse_time(secret.annotation(name.annotation(kNextSince)).value_or(""));
  if (!since) return state;
  state.next = read_identity(data, kNext);
  if (state.next) state.next_since = *since;
  return state;
}

}  // namespace keelson::webhook
