#include "src/install/crd_ownership.hpp"

#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/json/writer.hpp"
#include "src/install/crd_policy.hpp"
#include "src/install/dry_run.hpp"

namespace keelson::install {

namespace {

// Whether the stored spec is the one of `desired`. A dry run of the update gives it the form in which the API server
// stores it, with defaults.
Task<bool> has_spec(kube::Client& client, const kube::Object& crd, json::View live, std::string desired) {
  KEELSON_CO_LET(const auto own, json::Document::parse(desired));
  json::Writer body;
  body.begin_object();
  body.key("apiVersion").string("apiextensions.k8s.io/v1");
  body.key("kind").string("CustomResourceDefinition");
  body.key("metadata").begin_object();
  body.key("name").string(crd.name());
  body.key("resourceVersion").string(std::to_string(crd.resource_version()));
  body.end_object();
  body.key("spec").raw(own.root().find("spec").text());
  body.end_object();
  DryClient dry(client);
  const kube::Key key{"", std::string(crd.name())};
  auto updated = co_await kube::update(dry, kube::custom_resource_definitions(), key, std::move(body).take());
  // The rejected update is not what is stored: for example, it lacks a version in which objects are stored.
  if (!updated && kube::is_invalid(updated.error())) co_return false;
  if (!updated) co_return std::move(updated).error().with_context("compare the CRD with that of this program");
  KEELSON_CO_LET(const auto stored, json::Document::parse(updated->json()));
  co_return json::equal(stored.root().find("spec"), live.find("spec"));
}

std::string spec_by(const std::string& managers) {
  return managers.empty() ? "" : " (its spec is of " + managers + ")";
}

}  // namespace

Task<std::string> reason_to_keep(kube::Client& client, const kube::Object& crd, json::View live, std::string desired) {
  const auto owner = owner_of(live, client.operator_name().text());
  if (owner.kind == CrdOwner::Kind::kOurs) co_return std::string();
  const auto by = base::join(owner.managers, ", ");
  if (owner.kind == CrdOwner::Kind::kOther) {
    co_return "the CRD is applied by " + by +
        ". If it belongs to this program only, run `install` and delete the CRD with kubectl";
  }
  const auto not_installed = "this program did not install the CRD" + spec_by(by) + ", and ";
  if (!desired.empty()) {
    const auto is_same = co_await has_spec(client, crd, live, std::move(desired));
    if (!is_same && kube::is_forbidden(is_same.error())) {
      co_return not_installed + "may not compare its spec with that of this program: " + is_same.error().message();
    }
    if (!is_same) co_return is_same.error();
    if (*is_same) co_return std::string();
  }
  co_return not_installed + "its spec is not that of this program. If it belongs to this program, run `install` first";
}

}  // namespace keelson::install
