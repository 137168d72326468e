#include "keelson/detail/kubeconfig/exec_credential.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/json/yaml.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "keelson/schema/describe.hpp"
#include "keelson/schema/time.hpp"

namespace keelson::kube {

namespace {

constexpr const char* kExecCredential = "ExecCredential";

struct ExecStatus {
  PluginCredential credential;
  std::string expires;
};

void describe(Description& d, ExecStatus& status) {
  d.field("token", status.credential.token, "");
  d.field("clientCertificateData", status.credential.certificate_pem, "");
  d.field("clientKeyData", status.credential.key_pem, "");
  d.field("expirationTimestamp", status.expires, "");
}

Result<PluginCredential> read_status(json::View view) {
  auto status = decode<ExecStatus>(view, "status");
  if (!status) return std::move(status).error().with_context("decoding stdout");
  auto& [credential, expires] = *status;
  if (credential.token.empty() && credential.certificate_pem.empty() && credential.key_pem.empty()) {
    return invalid_error("exec plugin didn't return a token or cert/key pair");
  }
  if (credential.certificate_pem.empty() != credential.key_pem.empty()) {
    return invalid_error("exec plugin returned only certificate or key, not both");
  }
  if (!net::is_header_value(credential.token)) {
    return invalid_error("exec plugin returned a token with a line break in it");
  }
  if (expires.empty()) return credential;
  auto time = parse_time(expires);
  if (!time) return std::move(time.error()).with_context("decoding stdout: status.expirationTimestamp");
  credential.expires = *time;
  return credential;
}

// As client-go's decoder: JSON if the text begins like an object, otherwise the first document of a YAML text.
Result<json::Document> parse_output(std::string_view output) {
  if (base::trim(output).starts_with('{')) return json::Document::parse(output);
  KEELSON_LET(auto text, json::first_yaml_document_to_json(output));
  return json::Document::parse(text);
}

}  // namespace

Result<Terminal> terminal_for(const ExecPlugin& plugin, Terminal ours) {
  if (plugin.interactive_mode == "Always" && ours == Terminal::kNone) {
    return invalid_error(
        "exec plugin cannot support interactive mode: standard input is not a terminal; use a plugin or a login that "
        "needs no input");
  }
  return plugin.interactive_mode == "Never" ? Terminal::kNone : ours;
}

std::string exec_info(const ExecPlugin& plugin, Terminal terminal) {
  json::Writer writer;
  writer.begin_object().field("kind", kExecCredential).field("apiVersion", plugin.api_version);
  writer.key("spec").begin_object();
  if (!plugin.cluster_info.empty()) writer.raw_field("cluster", plugin.cluster_info);
  writer.field("interactive", terminal == Terminal::kAttached).end_object().end_object();
  return std::move(writer).take();
}

Result<PluginCredential> parse_exec_credential(std::string_view output, const std::string& api_version) {
  auto document = parse_output(output);
  if (!document) return std::move(document.error()).with_context("decoding stdout");
  auto root = document->root();
  if (!root.is_object()) return invalid_error("decoding stdout: not an ExecCredential");
  auto version = root.find("apiVersion").string().value_or("");
  auto kind = root.find("kind").string().value_or("");
  if (!kind.empty() && kind != kExecCredential) {
    return invalid_error("decoding stdout: no kind " + base::quote_go(kind) + " is registered for version " +
                         base::quote_go(version));
  }
  if (version.empty()) {
    return invalid_error("exec plugin is configured to use API version " + api_version +
                         ", plugin returned no apiVersion");
  }
  if (version != api_version) {
    return invalid_error("exec plugin is configured to use API version " + api_version + ", plugin returned version " +
                         std::string(version));
  }
  auto status = root.find("status");
  if (!status.is_object()) return invalid_error("exec plugin didn't return a status field");
  return read_status(status);
}

}  // namespace keelson::kube
