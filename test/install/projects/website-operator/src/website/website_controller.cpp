#include "website/website_controller.hpp"

#include "keelson/controller/rollout.hpp"
#include "keelson/operator.hpp"
#include "website/website_children.hpp"
#include "website/website_defaulter.hpp"
#include "website/website_directory.hpp"
#include "website/website_types.hpp"
#include "website/website_validator.hpp"
// +scaffold:includes

namespace website {
using namespace keelson;

namespace {

// Called whenever the Website or one of its children has changed: make the cluster match the spec.
Reconciled reconcile(const Website& website, Pass<Website>& pass) {
  // An error of one child does not prevent the others.
  const auto [pages, service, deployment] =
      co_await pass.apply_all(pages_of(website), service_of(website), deployment_of(website));
  KEELSON_CO_TRY(controller::all_of(pages, service, deployment));
  KEELSON_CO_TRY(co_await enter_directory(website, pass));

  const auto rollout = controller::rollout_of(*deployment);
  pass.status().url = url_of(website);
  pass.status().ready_replicas = rollout.ready_replicas;
  if (rollout.is_complete()) {
    pass.ready("Served", "All pods serve.");
  } else {
    pass.reconciling("RollingOut", rollout.waits_for);
  }
  co_return done();
}

// Called before a deleted Website is gone. Its children are deleted by garbage collection; its entry in the directory
// is not.
Reconciled clean_up(const Website& website, Pass<Website>& pass) {
  KEELSON_CO_TRY(co_await leave_directory(website, pass));
  pass.log.info("Left the directory.");
  co_return done();
}

}  // namespace

controller::Definition website() {
  auto definition = controller_for<Website>(reconcile, Finalizer<Website>{"web.example.com/directory", clean_up});
  definition.owns<core::v1::ConfigMap>();
  definition.owns<core::v1::Service>();
  definition.owns<apps::v1::Deployment>();
  add_defaulter(definition);
  add_validator(definition);
  // +scaffold:definition
  return definition;
}

}  // namespace website
