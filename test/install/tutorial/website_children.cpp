#include "website_children.hpp"

#include "keelson/json/writer.hpp"

namespace website {
using namespace keelson;

namespace {

constexpr int kPort = 8080;
constexpr const char* kImage = "nginxinc/nginx-unprivileged:1.29-alpine";

// `member` with the label by which Deployment and Service find the pods.
void write_labels(json::Writer& out, std::string_view member, const kube::Key& key) {
  out.key(member).begin_object().field("website", key.name).end_object();
}

void write_head(json::Writer& out, std::string_view api_version, std::string_view kind, const kube::Key& key,
                const std::string& name) {
  out.field("apiVersion", api_version).field("kind", kind);
  out.key("metadata").begin_object().field("name", name).field("namespace", key.ns).end_object();
}

void write_container(json::Writer& out, const WebsiteSpec& spec) {
  out.begin_object().field("name", "web").field("image", spec.image.value_or(kImage));
  out.key("ports").begin_array().begin_object().field("containerPort", kPort).end_object().end_array();
  out.key("volumeMounts").begin_array().begin_object();
  out.field("name", "pages").field("mountPath", "/usr/share/nginx/html").end_object().end_array();
  out.end_object();
}

}  // namespace

std::string pages_name(const kube::Key& key) { return key.name + "-pages"; }

std::string url_of(const kube::Key& key) { return "http://" + key.name + "." + key.ns + ".svc"; }

std::string wanted_pages(const kube::Key& key, const WebsiteSpec& spec) {
  json::Writer out;
  out.begin_object();
  write_head(out, "v1", "ConfigMap", key, pages_name(key));
  out.key("data").begin_object();
  for (const auto& [name, content] : spec.pages) out.field(name, content);
  out.end_object().end_object();
  return std::move(out).take();
}

std::string wanted_deployment(const kube::Key& key, const WebsiteSpec& spec) {
  json::Writer out;
  out.begin_object();
  write_head(out, "apps/v1", "Deployment", key, key.name);
  out.key("spec").begin_object().field("replicas", spec.replicas.value_or(1));
  out.key("selector").begin_object();
  write_labels(out, "matchLabels", key);
  out.end_object();
  out.key("template").begin_object();
  out.key("metadata").begin_object();
  write_labels(out, "labels", key);
  out.end_object();
  out.key("spec").begin_object().key("containers").begin_array();
  write_container(out, spec);
  out.end_array();
  out.key("volumes").begin_array().begin_object().field("name", "pages");
  out.key("configMap").begin_object().field("name", pages_name(key)).end_object().end_object().end_array();
  out.end_object().end_object().end_object().end_object();  // pod, template, spec, Deployment
  return std::move(out).take();
}

std::string wanted_service(const kube::Key& key) {
  json::Writer out;
  out.begin_object();
  write_head(out, "v1", "Service", key, key.name);
  out.key("spec").begin_object();
  write_labels(out, "selector", key);
  out.key("ports").begin_array().begin_object();
  out.field("port", 80).field("targetPort", kPort).field("protocol", "TCP").end_object().end_array();
  out.end_object().end_object();
  return std::move(out).take();
}

}  // namespace website
