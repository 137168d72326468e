#include "test/cluster/harness/pod.hpp"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "test/cluster/harness/cluster.hpp"
#include "test/support/json_texts.hpp"

namespace keelson::testing {

namespace {

json::View named(json::View list, const std::string& name) {
  for (auto item : list.items()) {
    if (item.find("name").string() == name) return item;
  }
  FAIL("there is no '" << name << "' in " << list.text());
  return {};
}

// Host and port of the API server in the admin's kubeconfig: the Service kubernetes is not reachable from here.
std::vector<std::string> way_to_the_api_server() {
  auto server = kubectl({"config", "view", "--minify", "-o", "jsonpath={.clusters[0].cluster.server}"});
  const std::string scheme = "https://";
  const auto colon = server.rfind(':');
  return {"KUBERNETES_SERVICE_HOST=" + server.substr(scheme.size(), colon - scheme.size()),
          "KUBERNETES_SERVICE_PORT=" + server.substr(colon + 1)};
}

}  // namespace

std::chrono::seconds Pod::grace_period() const {
  auto seconds = object_.root().at({"spec", "terminationGracePeriodSeconds"}).integer();
  REQUIRE(seconds.has_value());
  return std::chrono::seconds(*seconds);
}

std::string Pod::field(const std::string& path) const {
  auto view = object_.root();
  std::istringstream words(path);
  for (std::string word; std::getline(words, word, '.');) view = view.find(word);
  INFO(path);
  REQUIRE(view.is_string());
  return string_or_empty(view);
}

json::View Pod::container(const std::string& name) const {
  return named(object_.root().at({"spec", "containers"}), name);
}

json::View Pod::volume(const std::string& name) const { return named(object_.root().at({"spec", "volumes"}), name); }

std::vector<std::string> Pod::command(const std::string& container_name, const std::string& entrypoint) const {
  auto container = this->container(container_name);
  std::vector<std::string> words;
  for (auto word : container.find("command").items()) words.push_back(string_or_empty(word));
  if (words.empty()) words.push_back(entrypoint);
  for (auto word : container.find("args").items()) words.push_back(string_or_empty(word));
  return words;
}

int Pod::port(const std::string& container_name, const std::string& name) const {
  auto port = named(container(container_name).find("ports"), name);
  return static_cast<int>(port.find("containerPort").integer().value_or(0));
}

std::vector<std::string> Pod::environment(const std::string& container_name) const {
  auto lines = way_to_the_api_server();
  lines.push_back("HOSTNAME=" + name());
  for (auto entry : container(container_name).find("env").items()) {
    auto path = entry.at({"valueFrom", "fieldRef", "fieldPath"}).string();
    INFO(entry.text());
    REQUIRE((path || !entry.find("valueFrom").has_value()));
    lines.push_back(string_or_empty(entry.find("name")) + "=" +
                    (path ? field(std::string(*path)) : string_or_empty(entry.find("value"))));
  }
  return lines;
}

std::map<std::string, std::string> Pod::files(const std::string& container_name) const {
  std::map<std::string, std::string> files;
  for (auto mount : container(container_name).find("volumeMounts").items()) {
    auto volume = this->volume(string_or_empty(mount.find("name")));
    INFO(volume.text());
    REQUIRE(volume.find("projected").is_object());
    for (auto source : volume.at({"projected", "sources"}).items()) {
      add_source(source, string_or_empty(mount.find("mountPath")), files);
    }
  }
  return files;
}

void Pod::add_source(json::View source, const std::string& folder, std::map<std::string, std::string>& files) const {
  if (auto projection = source.find("serviceAccountToken"); projection.is_object()) {
    files[folder + "/" + string_or_empty(projection.find("path"))] = token(projection);
  }
  if (auto projection = source.find("configMap"); projection.is_object()) {
    auto map = get("configmap", string_or_empty(projection.find("name")), ns());
    for (auto item : projection.find("items").items()) {
      files[folder + "/" + string_or_empty(item.find("path"))] =
          string_or_empty(map.root().find("data").find(string_or_empty(item.find("key"))));
    }
  }
  for (auto item : source.at({"downwardAPI", "items"}).items()) {
    files[folder + "/" + string_or_empty(item.find("path"))] =
        field(string_or_empty(item.at({"fieldRef", "fieldPath"})));
  }
}

std::string Pod::token(json::View projection) const {
  auto seconds = projection.find("expirationSeconds").integer().value_or(3600);
  auto token =
      kubectl({"create", "token", account(), "-n", ns(), "--bound-object-kind=Pod", "--bound-object-name=" + name(),
               "--bound-object-uid=" + field("metadata.uid"), "--duration=" + std::to_string(seconds) + "s"});
  return token.substr(0, token.find('\n'));
}

}  // namespace keelson::testing
