// Reconciles a Guestbook: nothing is created, and the status reports each generation once.
#include "keelson/controller/controller_for.hpp"
#include "src/kinds/guestbook/guestbook.hpp"

namespace keelson::kinds {

namespace {

Reconciled reconcile(const Guestbook&, Pass<Guestbook>& pass) {
  pass.log.debug("Reconciling Guestbook.");
  pass.ready("Observed", "The controller has observed the Guestbook.");
  co_return done();
}

}  // namespace

controller::Definition guestbook() { return controller_for<Guestbook>(reconcile); }

}  // namespace keelson::kinds
