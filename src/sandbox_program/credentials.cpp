#include "src/sandbox_program/credentials.hpp"

#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/hex.hpp"
#include "keelson/detail/sandbox/user_info.hpp"

namespace keelson::sandbox_program {
namespace asio = boost::asio;

namespace {

// The settings in the data file.
constexpr const char* kToken = "token";
constexpr const char* kCertificate = "certificate";
constexpr const char* kKey = "key";
constexpr const char* kAuthority = "authority";
constexpr const char* kNames = "certificateNames";  // a line each
constexpr const char* kTokenKey = "serviceAccountKey";
constexpr const char* kClientAuthority = "clientAuthority";
constexpr const char* kClientKey = "clientAuthorityKey";
constexpr const char* kAdministratorCertificate = "administratorCertificate";
constexpr const char* kAdministratorKey = "administratorKey";

// The lifetime of kubeadm's authority. A client's clock may be late because of a wrong time zone.
constexpr auto kLifetime = std::chrono::hours(24 * 3650);
constexpr auto kBackdated = std::chrono::hours(24);

Result<std::string> random_token() {
  std::array<unsigned char, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    return invalid_error("cannot create a token: the system returned no random bytes: give --token");
  }
  return base::to_hex(bytes);
}

// Empty if the host name is not valid in a certificate.
std::string host_name() {
  std::array<char, 256> buffer{};
  if (::gethostname(buffer.data(), buffer.size() - 1) != 0) return "";
  std::string name(buffer.data());
  bool is_plain = std::ranges::all_of(name, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '-' || c == '.';
  });
  return is_plain ? name : "";
}

std::vector<std::string> names_of(const asio::ip::address& address) {
  std::vector<std::string> names{"localhost",
                                 "kubernetes",
                                 "kubernetes.default",
                                 "kubernetes.default.svc",
                                 "kubernetes.default.svc.cluster.local",
                                 "127.0.0.1",
                                 "::1",
                                 "10.0.0.1"};
  for (const auto& name : {host_name(), address.is_unspecified() ? std::string() : address.to_string()}) {
    if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  return names;
}

Result<tls::ServingCertificate> make_serving_certificate(async::Clock& clock, std::vector<std::string> names) {
  tls::ServingCertificateRequest request;
  request.authority_name = "keelson-sandbox";
  request.names = std::move(names);
  request.from = clock.wall_now() - kBackdated;
  request.until = clock.wall_now() + kLifetime;
  return tls::make_serving_certificate(request);
}

std::string lines_of(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += name + "\n";
  return text;
}

bool is_current(const tls::ServingCertificate& identity, async::Clock& clock) {
  auto facts = tls::examine_serving_certificate(identity);
  return facts && facts->from <= clock.wall_now() && clock.wall_now() < facts->until;
}

// The stored authority, or a new one.
Result<tls::ClientAuthority> client_authority_of(async::Clock& clock, std::map<std::string, std::string>& values) {
  const auto now = clock.wall_now();
  if (!values[kClientAuthority].empty()) {
    KEELSON_LET(auto stored, tls::ClientAuthority::from_pem(values[kClientAuthority], values[kClientKey]));
    const auto validity = stored.validity();
    if (validity.from <= now && now < validity.until) return stored;
  }
  KEELSON_LET(auto made, tls::ClientAuthority::make("keelson-sandbox-clients", {now - kBackdated, now + kLifetime}));
  values[kClientAuthority] = made.certificate_pem();
  values[kClientKey] = made.key_pem();
  values[kAdministratorCertificate].clear();
  return made;
}

// The stored certificate of this authority, or a new one.
Result<tls::ClientAuthority::Issued> administrator_certificate(const tls::ClientAuthority& authority,
                                                               std::map<std::string, std::string>& values) {
  if (!values[kAdministratorCertificate].empty()) {
    return tls::ClientAuthority::Issued{values[kAdministratorCertificate], values[kAdministratorKey]};
  }
  KEELSON_LET(auto issued, authority.issue({sandbox::kAdministrator, {sandbox::kMasters}}, authority.validity()));
  values[kAdministratorCertificate] = issued.certificate_pem;
  values[kAdministratorKey] = issued.key_pem;
  return issued;
}

// All stored settings, by name.
Result<std::map<std::string, std::string>> stored_in(sandbox_data::DataFile* data) {
  std::map<std::string, std::string> found;
  if (data == nullptr) return found;
  for (const char* name : {kToken, kCertificate, kKey, kAuthority, kNames, kTokenKey, kClientAuthority, kClientKey,
                           kAdministratorCertificate, kAdministratorKey}) {
    KEELSON_LET(auto value, data->setting(name));
    if (value) found.emplace(name, std::move(*value));
  }
  return found;
}

}  // namespace

Result<Credentials> make_credentials(async::Clock& clock, const Settings& settings, sandbox_data::DataFile* data) {
  auto stored = stored_in(data);
  if (!stored) return std::move(stored).error().with_context("--data");
  auto& values = *stored;
  const auto before = values;
  if (!settings.token.empty()) values[kToken] = settings.token;
  if (values[kToken].empty()) {
    KEELSON_LET(auto token, random_token());
    values[kToken] = std::move(token);
  }
  auto address = asio::ip::make_address(settings.bind_address);
  tls::ServingCertificate identity{values[kCertificate], values[kKey], values[kAuthority]};
  bool has_address =
      address.is_unspecified() || ("\n" + values[kNames]).find("\n" + address.to_string() + "\n") != std::string::npos;
  if (!has_address || !is_current(identity, clock)) {
    auto names = names_of(address);
    KEELSON_LET(auto made, make_serving_certificate(clock, names));
    identity = std::move(made);
    values[kCertificate] = identity.certificate_pem;
    values[kKey] = identity.key_pem;
    values[kAuthority] = identity.authority_pem;
    values[kNames] = lines_of(names);
  }
  auto token_key = values[kTokenKey].empty() ? tls::SigningKey::make() : tls::SigningKey::from_pem(values[kTokenKey]);
  if (!token_key) return std::move(token_key).error().with_context("the key of ServiceAccounts' tokens");
  values[kTokenKey] = token_key->pem();
  auto authority = client_authority_of(clock, values);
  if (!authority) return std::move(authority).error().with_context("the authority of client certificates");
  KEELSON_LET(auto administrator, administrator_certificate(*authority, values));
  if (data != nullptr && values != before) {
    auto kept = data->set(values);
    if (!kept) return std::move(kept).error().with_context("--data");
  }
  return Credentials{std::move(identity), values[kToken], std::move(*token_key), std::move(*authority),
                     std::move(administrator)};
}

}  // namespace keelson::sandbox_program
