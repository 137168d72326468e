#include "test/sim/bluegreen_world.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "src/kinds/bluegreen/bluegreen.hpp"
#include "test/support/conditions.hpp"
#include "test/support/parsed.hpp"

namespace keelson::testing {
using kinds::BlueGreen;

namespace {

constexpr std::string_view kPhase = "app.kubernetes.io/phase";

Error rejection() {
  Error error(Error::Kind::kStatus, "");
  error.code = 403;
  error.reason = "Forbidden";
  return error;
}

std::string selected_by(const kube::Object& service) {
  return std::string(parsed(service.json()).root().at({"spec", "selector", kPhase}).string().value_or(""));
}

}  // namespace

std::string pods(const std::string& name, const std::string& image) {
  return R"({"containers":[{"name":")" + name + R"(","image":")" + image + R"("}]})";
}

BlueGreenWorld::BlueGreenWorld(std::uint64_t seed) : ClusterWithUser(seed, kinds::bluegreen()) {}

void BlueGreenWorld::apply(const std::string& color, const std::string& more) {
  create(kube::resource_of<BlueGreen>(), "default",
         R"({"apiVersion":"app.demo.kakao.com/v1","kind":"BlueGreen","metadata":{"name":"demo"},"spec":{"routeTo":")" +
             color + R"(","blueSpec":)" + pods("blue", "app:1") + R"(,"greenSpec":)" + pods("green", "app:1") + more +
             "}}");
}

void BlueGreenWorld::route_to(const std::string& color) {
  patch(kube::resource_of<BlueGreen>(), kDemo, R"({"spec":{"routeTo":")" + color + R"("}})");
}

void BlueGreenWorld::patch_against_schema(const std::string& text) {
  auto older = controller::kind_of<kinds::BlueGreen>();
  older.spec_schema.clear();
  server.serve(older);
  patch(kube::resource_of<BlueGreen>(), kDemo, text);
  server.serve(controller::kind_of<kinds::BlueGreen>());
}

void BlueGreenWorld::switch_with_new_pods(int release) {
  bool to_green = wanted() == "Blue";
  auto image = "app:" + std::to_string(release + 2);
  patch(kube::resource_of<BlueGreen>(), kDemo,
        to_green ? R"({"spec":{"routeTo":"Green","greenSpec":)" + pods("green", image) + "}}"
                 : R"({"spec":{"routeTo":"Blue","blueSpec":)" + pods("blue", image) + "}}");
}

void BlueGreenWorld::disturb(base::Random& chance, int step) {
  auto deployment = chance.unit() < 0.5 ? kBlueDeployment : kGreenDeployment;
  auto is_managers_write = [](const sandbox::RequestInfo& r) { return r.user == "manager" && r.is_write(); };
  switch (chance.between(0, 8)) {
    case 0:
      server.drop_watches();
      break;
    case 1:
      server.compact();
      break;
    case 2:
      server.fail_next(is_managers_write, chance.unit() < 0.5 ? transport_error("reset") : rejection());
      break;
    case 3:
      crash_manager();
      start_manager();
      break;
    case 4:
      // Scaling to zero also removes the pods of the color that receives traffic; that is not a switch.
      if (!exists(kube::deployments(), deployment)) break;
      patch(kube::deployments(), deployment, R"({"spec":{"replicas":)" + std::to_string(chance.between(0, 3)) + "}}");
      break;
    case 5:
      patch(kube::resource_of<BlueGreen>(), kDemo, R"({"spec":{"greenSpec":)" + pods("green", "broken") + "}}");
      break;
    case 6:
      if (exists(kube::services(), kDemo)) remove(kube::services(), kDemo);
      break;
    default:
      switch_with_new_pods(step);
      break;
  }
}

std::string BlueGreenWorld::wanted() {
  return std::string(get(kube::resource_of<BlueGreen>(), kDemo).root().at({"spec", "routeTo"}).string().value_or(""));
}

std::string BlueGreenWorld::served() {
  return std::string(get(kube::services(), kDemo).root().at({"spec", "selector", kPhase}).string().value_or(""));
}

std::string BlueGreenWorld::told_route() {
  return std::string(get(kube::resource_of<BlueGreen>(), kDemo).root().at({"status", "routeTo"}).string().value_or(""));
}

bool BlueGreenWorld::is_ready(const std::string& color) {
  auto document = get(kube::resource_of<BlueGreen>(), kDemo);
  auto status = document.root().find("status");
  bool is_current =
      status.find("observedGeneration").integer() == document.root().at({"metadata", "generation"}).integer();
  return is_current && status.find("routeTo").string() == color && condition("Ready") == "True Serving";
}

bool BlueGreenWorld::is_progressing() { return !condition("Progressing").starts_with("False"); }

std::string BlueGreenWorld::condition(std::string_view type) {
  auto document = get(kube::resource_of<BlueGreen>(), kDemo);
  return condition_text(document.root(), type);
}

std::string BlueGreenWorld::message(std::string_view type) {
  auto document = get(kube::resource_of<BlueGreen>(), kDemo);
  return condition_message(document.root(), type);
}

std::int64_t BlueGreenWorld::ready_replicas(std::string_view member) {
  return get(kube::resource_of<BlueGreen>(), kDemo)
      .root()
      .at({"status", member, "readyReplicas"})
      .integer()
      .value_or(-1);
}

bool BlueGreenWorld::exists(const kube::Resource& resource, const kube::Key& key) {
  return get(resource, key).root().is_object();
}

std::string BlueGreenWorld::image_of(const kube::Key& deployment) {
  auto document = get(kube::deployments(), deployment);
  auto container = document.root().at({"spec", "template", "spec", "containers"}).item(0);
  return std::string(container.find("image").string().value_or(""));
}

std::size_t BlueGreenWorld::events(const std::string& reason) const {
  auto all = server.objects(kube::events());
  return static_cast<std::size_t>(std::ranges::count_if(
      all, [&](const auto& event) { return parsed(event.json()).root().find("reason").string() == reason; }));
}

void BlueGreenWorld::watch_switches() {
  server.after_write([this](const kube::Resource& resource, const auto&, const auto& after) {
    if (resource != kube::services() || !after) return;
    // A Service that is created again starts with the selector that it had before it was deleted.
    auto color = selected_by(*after);
    auto before = std::exchange(last_selected_, color);
    if (color == before || before.empty()) return;
    ++switches_;
    if (!has_ready_pod(color)) bad_switches_ += "to " + color + " as switch " + std::to_string(switches_) + "\n";
  });
}

bool BlueGreenWorld::has_ready_pod(const std::string& color) const {
  auto all = server.objects(kube::pods());
  return std::ranges::any_of(all, [&](const auto& pod) {
    if (pod.deleting() || pod.label(kPhase) != color) return false;
    auto document = parsed(pod.json());
    auto conditions = document.root().at({"status", "conditions"}).items();
    return std::ranges::any_of(conditions, [](const auto& condition) {
      return condition.find("type").string() == "Ready" && condition.find("status").string() == "True";
    });
  });
}

}  // namespace keelson::testing
