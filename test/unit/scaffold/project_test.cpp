#include "src/scaffold/project.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "src/scaffold/default_kustomization.hpp"
#include "src/scaffold/names.hpp"
#include "src/scaffold/template_files.hpp"
#include "src/scaffold/template_text.hpp"

using namespace keelson::scaffold;

namespace {

Project project() {
  ProjectKind website{"web.example.com", "v1", "Website", "", "website"};
  website.has_controller = true;
  ProjectKind node{"", "v1", "Node", "nodes", "node", false, false, true, true, true};
  return {"example.com", "website-operator", "0.1.0", {website, node}};
}

}  // namespace

TEST_CASE("a PROJECT file is read as it was written") {
  const auto read = parse_project(project_text(project()));

  REQUIRE(read);
  CHECK(*read == project());
}

TEST_CASE("a PROJECT file with a path outside of src is rejected") {
  auto text = project_text(project());
  text.replace(text.find("src/website"), 11, "src/../../x");

  const auto read = parse_project(text);

  REQUIRE_FALSE(read);
  CHECK(read.error().text == "PROJECT: the path of Website must be a folder in src, such as src/website");
}

TEST_CASE("a PROJECT file of another program is rejected") {
  const auto read = parse_project("domain: example.com\nlayout:\n- go.kubebuilder.io/v4\n");

  REQUIRE_FALSE(read);
  CHECK(read.error().text == "PROJECT: it was not written by this program: its format must be \"1\"");
}

TEST_CASE("the folder of a kind has its name, or also its group if the name is taken") {
  CHECK(choose_unit(project(), "web.example.com", "CronJob") == "cronjob");
  CHECK(choose_unit(project(), "my-shop.example.com", "Website") == "my_shop_website");
  CHECK(choose_unit(project(), "", "Namespace") == "core_namespace");
  CHECK(choose_unit(project(), "shop.example.com", "Cache") == "shop_cache");
  CHECK(choose_unit(project(), "9.example.com", "Cache") == "group_9_cache");
}

TEST_CASE("names of kinds, versions and groups follow kubebuilder's rules") {
  for (const auto* version : {"v1", "v12", "v1alpha1", "v2beta10"}) CHECK(check_version(version));
  for (const auto* version : {"1", "v", "v0", "v1gamma1", "v1beta", "v100", "V1", "v1beta1x"}) {
    CHECK_FALSE(check_version(version));
  }
  for (const auto* kind : {"Website", "HTTPRoute", "A1"}) CHECK(check_kind(kind));
  for (const auto* kind : {"website", "Web-Site", "", "Pass"}) CHECK_FALSE(check_kind(kind));
  for (const auto* group : {"web", "web.shop", "9a"}) CHECK(check_group(group));
  for (const auto* group : {"Web", "web_1", "", "-a", "a..b"}) CHECK_FALSE(check_group(group));
  CHECK(check_project_name("website-operator"));
  CHECK_FALSE(check_project_name("9lives"));
  CHECK_FALSE(check_project_name(std::string(41, 'a')));
}

TEST_CASE("no generated file has a line of a template") {
  auto kinds = project();
  ProjectKind certificate{"cert-manager.io", "v1", "Certificate", "", "certificate", true, false, true, true, true};
  ProjectKind cluster{"infra.example.com", "v1", "Cluster", "", "cluster", false, true, true, true, true};
  kinds.kinds.push_back(certificate);
  kinds.kinds.push_back(cluster);

  auto files = project_files(kinds);
  for (const auto& kind : kinds.kinds) files.merge(kind_files(kinds, kind));

  CHECK(files.size() > 50);
  for (const auto& [path, content] : files) {
    INFO(path);
    for (const auto* rest : {"{{#", "{{/", "{{^", "{{kind", "{{unit", "{{name"}) {
      CHECK(content.find(rest) == content.npos);
    }
  }
}

TEST_CASE("the manifests of a project have its name, and none of ours") {
  for (const auto& [path, content] : project_files(project())) {
    if (!path.starts_with("config/")) continue;
    INFO(path);
    auto text = content;
    // The domain of annotations, and a metric, are the same in every operator.
    for (const std::string known : {"keelson.dev/", "keelson_cache_bytes"}) {
      for (auto at = text.find(known); at != text.npos; at = text.find(known)) text.erase(at, known.size());
    }
    CHECK(text.find("keelson") == text.npos);
  }
  CHECK(project_files(project()).at("config/default/kustomization.yaml").find("namePrefix: website-operator-\n") !=
        std::string::npos);
}

TEST_CASE("a PROJECT file with mistakes is rejected, so that no kind is lost") {
  const auto text = project_text(project());
  const auto with = [&](const std::string& from, const std::string& to) {
    auto changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return changed;
  };

  CHECK_FALSE(parse_project(text.substr(0, text.find("resources:")) + "resources: none\n"));
  CHECK_FALSE(parse_project(with("path: src/node", "path: src/website")));
  CHECK_FALSE(parse_project(with("path: src/node", "path: src/9")));
  CHECK_FALSE(parse_project(with("controller: true", "controller: 1")));
  CHECK_FALSE(parse_project(with("version: v1", "version: one")));
  auto without_controller = project();
  without_controller.kinds[1].has_controller = false;
  CHECK_FALSE(parse_project(project_text(without_controller)));
}

TEST_CASE("enabling the features of a new project gives the complete kustomization, and nothing else") {
  const auto complete = fill_template(template_of(kDefaultKustomization), {{"name", "website-operator"}});
  const auto text = project_files(project()).at(kDefaultKustomization);

  CHECK(with_feature(with_feature(text, Feature::kCrd), Feature::kWebhooks) == complete);
  CHECK(without_feature(without_feature(complete, Feature::kCrd), Feature::kWebhooks) == text);
}

TEST_CASE("a project has its version in CMakeLists.txt, and its image has certificate authorities") {
  const auto files = project_files(project());
  const auto has = [&](const char* path, const char* text) {
    INFO(path << ": " << text);
    CHECK(files.at(path).find(text) != std::string::npos);
  };

  has("CMakeLists.txt", "project(website-operator VERSION 0.1.0 LANGUAGES CXX)");
  has("CMakeLists.txt", "keelson_operator_version(src/main.cpp)");
  has("src/main.cpp", "{OPERATOR_VERSION, OPERATOR_COMMIT}");
  has("Dockerfile", "COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/");
  has("Dockerfile", "OPERATOR_COMMIT=\"$COMMIT\"");
  has("Makefile", "--build-arg COMMIT=$(COMMIT)");
}
