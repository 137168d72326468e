// The main function of the program `plan` of an operator.
#include "keelson/plan/plan.hpp"

#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/controller/controller_for.hpp"

namespace keelson::examples {

Reconciled inspect(const core::v1::Namespace&, Pass<core::v1::Namespace>&) { co_return done(); }

// [plan]
// The same name and controllers as in the manager's main function: `int main(int argc, char** argv)` returns this.
int plan_inspector(int argc, char** argv) {
  return run_plan("inspector", argc, argv, {controller_for<core::v1::Namespace>(inspect)});
}
// [end]

}  // namespace keelson::examples
