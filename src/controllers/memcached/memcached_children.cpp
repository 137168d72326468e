#include "src/controllers/memcached/memcached_children.hpp"

#include "keelson/json/writer.hpp"

namespace keelson::controllers {

namespace {

constexpr int kPort = 11211;
// The numeric user of the official image: its image names a user, and runAsNonRoot needs a number to check.
constexpr int kUser = 11211;

void write_metadata(json::Writer& writer, const kube::Key& key) {
  writer.key("metadata").begin_object().field("name", key.name).field("namespace", key.ns).end_object();
}

void write_labels(json::Writer& writer, std::string_view member, const kube::Key& key) {
  writer.key(member).begin_object();
  writer.field(kAppLabel, kAppName).field(kOwnerLabel, key.name);
  writer.end_object();
}

void write_port(json::Writer& writer, std::string_view port_member) {
  writer.field("name", "memcached").field(port_member, kPort).field("protocol", "TCP");
}

void write_container(json::Writer& writer, std::string_view image) {
  writer.begin_object();
  writer.field("name", "memcached").field("image", image);
  writer.key("command").begin_array();
  for (const auto* word : {"memcached", "-m=64", "-o", "modern", "-v"}) writer.string(word);
  writer.end_array();
  writer.key("ports").begin_array().begin_object();
  write_port(writer, "containerPort");
  writer.end_object().end_array();
  writer.key("securityContext").begin_object();
  writer.field("allowPrivilegeEscalation", false);
  writer.key("capabilities").begin_object().key("drop").begin_array().string("ALL").end_array().end_object();
  writer.end_object();
  writer.end_object();
}

// The restricted Pod Security profile, with what write_container says.
void write_pod_security(json::Writer& writer) {
  writer.key("securityContext").begin_object();
  writer.field("runAsNonRoot", true).field("runAsUser", kUser);
  writer.key("seccompProfile").begin_object().field("type", "RuntimeDefault").end_object();
  writer.end_object();
}

}  // namespace

std::string memcached_deployment(const kube::Key& key, int size, std::string_view image) {
  json::Writer writer;
  writer.begin_object().field("apiVersion", "apps/v1").field("kind", "Deployment");
  write_metadata(writer, key);
  writer.key("spec").begin_object().field("replicas", size);
  writer.key("selector").begin_object();
  write_labels(writer, "matchLabels", key);
  writer.end_object();
  writer.key("template").begin_object();
  writer.key("metadata").begin_object();
  write_labels(writer, "labels", key);
  writer.end_object();
  writer.key("spec").begin_object();
  write_pod_security(writer);
  writer.key("containers").begin_array();
  write_container(writer, image);
  writer.end_array();
  writer.end_object();  // pod spec
  writer.end_object();  // template
  writer.end_object();  // spec
  writer.end_object();
  return std::move(writer).take();
}

std::string memcached_service(const kube::Key& key) {
  json::Writer writer;
  writer.begin_object().field("apiVersion", "v1").field("kind", "Service");
  write_metadata(writer, key);
  writer.key("spec").begin_object();
  write_labels(writer, "selector", key);
  writer.key("ports").begin_array().begin_object();
  write_port(writer, "port");
  // What the API server would fill in, said because only what is wished for is repaired.
  writer.field("targetPort", kPort).end_object().end_array();
  writer.end_object();
  writer.end_object();
  return std::move(writer).take();
}

std::string memcached_pod_selector() {
  return std::string(kAppLabel) + "=" + std::string(kAppName) + "," + std::string(kOwnerLabel);
}

std::string memcached_selector(const kube::Key& key) { return memcached_pod_selector() + "=" + key.name; }

}  // namespace keelson::controllers
