// An operator of Namespaces: those of a tenant get labels and a ResourceQuota, and protected ones cannot be deleted.
#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/api/core/v1/resource_quota.hpp"
#include "keelson/operator.hpp"

using namespace keelson;
namespace asio = boost::asio;
using core::v1::Namespace;
using core::v1::ResourceQuota;

namespace {

constexpr const char* kTenant = "tenant.example.com/name";
constexpr const char* kProtected = "tenant.example.com/protected";
constexpr const char* kEnforce = "pod-security.kubernetes.io/enforce";

class TenantReconciler {
 public:
  explicit TenantReconciler(controller::Context& context) : pods_(context.flag<std::int64_t>("pods-per-namespace")) {}

  [[nodiscard]] Reconciled reconcile(const Namespace& ns, Pass<Namespace>& pass);

 private:
  std::int64_t pods_;
};

Reconciled TenantReconciler::reconcile(const Namespace& ns, Pass<Namespace>& pass) {
  auto labelled = ns;
  labelled.metadata.labels[kEnforce] = "restricted";
  KEELSON_CO_TRY(co_await kube::patch(pass.client, ns, labelled));

  const kube::Quantity pods(pods_);
  const ResourceQuota quota{.metadata = {.name = "tenant", .ns = ns.metadata.name}, .spec = {.hard = {{"pods", pods}}}};
  KEELSON_CO_TRY(co_await pass.apply(quota));
  co_return done();
}

// The API server asks before each delete of a Namespace with the label.
asio::awaitable<webhook::Decision> keep_protected(const webhook::Review<Namespace>& review) {
  const auto& labels = review.object.metadata.labels;
  co_return webhook::Decision::deny("it belongs to tenant " + labels.at(kTenant) + ": remove the label " + kProtected +
                                    " first");
}

controller::Definition tenant() {
  const auto tenants = *kube::Selector::parse(kTenant);
  const auto protected_ones = *kube::Selector::parse(std::string(kTenant) + "," + kProtected + "=true");
  return controller_for<Namespace, TenantReconciler>()
      .named("tenant")
      .selects({.labels = tenants})
      .owns<ResourceQuota>()
      .rbac({"", "namespaces", {"patch"}})
      .flag<std::int64_t>("pods-per-namespace", 10, "The number of pods that each namespace may have.")
      .webhook(webhook::validating<Namespace>(
          keep_protected, {.operations = {webhook::Operation::kDelete}, .object_selector = protected_ones}));
}

}  // namespace

int main(int argc, char** argv) { return run("tenant-operator", argc, argv, {tenant()}); }
