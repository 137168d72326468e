// A small operator for tests of simulations: the test defines the reconcile of each Shop.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "keelson/base/task.hpp"
#include "keelson/controller/pass.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/pass_state.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"

namespace keelson::sandbox {

inline const kube::Resource kShops("shop.example.com", "v1", "Shop", "shops");
inline const kube::Key kCorner("default", "corner");
inline constexpr const char* kCornerYaml = "apiVersion: shop.example.com/v1\nkind: Shop\nmetadata: {name: corner}\n";

// The reconciles of a Shop; the object comes from the informer.
using ShopPass = std::function<Task<void>(controller::Context&, kube::Object, Logger)>;

class ShopReconciler final : public controller::Reconciler {
 public:
  ShopReconciler(controller::Context& context, ShopPass pass) : context_(context), pass_(std::move(pass)) {}

  Task<controller::Outcome> reconcile(controller::Attempt& attempt) override {
    auto shop = context_.informer(context_.definition->resource()).get(attempt.key);
    if (!shop) co_return controller::Outcome::done();
    auto passed = co_await pass_(context_, std::move(*shop), attempt.log);
    if (!passed) co_return std::move(passed.error());
    co_return controller::Outcome::done();
  }

 private:
  controller::Context& context_;
  ShopPass pass_;
};

// An operator whose only permission is to watch.
inline controller::Definition shop_without_rules(ShopPass pass, const kube::Resource& resource = kShops) {
  kube::Kind kind;
  kind.resource = resource;
  kind.singular = base::to_lower(resource.kind);
  return controller::define(kind)
      .owns(kube::services())
      .owns(kube::deployments())
      .reconciled_by([pass](controller::Context& context) { return std::make_unique<ShopReconciler>(context, pass); });
}

inline controller::Definition shop(ShopPass pass, const kube::Resource& resource = kShops) {
  auto definition = shop_without_rules(std::move(pass), resource);
  definition.rbac({"", "services", {"create", "patch"}}).rbac({"apps", "deployments", {"create", "patch"}});
  return definition;
}

// A child with any spec, including an invalid one.
inline constexpr kube::Identity kServiceIdentity{"", "v1", "Service"};
inline constexpr kube::Identity kDeploymentIdentity{"apps", "v1", "Deployment"};
template <const kube::Identity& kNames>
struct RawChild {
  static constexpr kube::Identity kIdentity = kNames;
  meta::v1::ObjectMeta metadata;
  kube::RawJson spec;
};
template <const kube::Identity& kNames>
void describe(kube::Description& d, RawChild<kNames>& child) {
  d.field("metadata", child.metadata, "");
  d.field("spec", child.spec, "");
}

// Applies a single child, as most operators do.
template <const kube::Identity& kNames>
ShopPass applies_raw(std::string spec) {
  return [spec](controller::Context& context, kube::Object shop, Logger log) -> Task<void> {
    controller::PassState state(context, kShops, &kube::description_of<controller::NoStatus>(), false);
    controller::Attempt attempt{shop.key(), std::move(log), context.client};
    controller::BasicPass pass(state, std::move(shop), attempt);
    KEELSON_CO_TRY(co_await pass.apply(RawChild<kNames>{.metadata = {.name = "corner"}, .spec = {spec}}));
    co_return Result<void>();
  };
}
inline ShopPass applies(const kube::Resource& resource, const std::string& child) {
  const auto document = json::Document::parse(child);
  auto spec = document->root().find("spec").text();
  if (resource == kube::services()) return applies_raw<kServiceIdentity>(std::move(spec));
  return applies_raw<kDeploymentIdentity>(std::move(spec));
}

inline std::string service(const std::string& port) {
  return R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"corner","namespace":"default"},)"
         R"("spec":{"selector":{"app":"a"},"ports":[{"port":80,)" +
         port + "}]}}";
}

inline std::string deployment(const std::string& containers) {
  return R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"corner","namespace":"default"},)"
         R"("spec":{"selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},"spec":{)" +
         containers + "}}}}";
}

}  // namespace keelson::sandbox
