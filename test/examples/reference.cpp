// The main function of the program `reference` of an operator.
#include "keelson/reference/run_reference.hpp"

#include "keelson/api/core/v1/namespace.hpp"
#include "keelson/controller/controller_for.hpp"

namespace keelson::examples {

Reconciled observe(const core::v1::Namespace&, Pass<core::v1::Namespace>&) { co_return done(); }

// [reference]
// `int main(int argc, char** argv)` returns this.
int write_reference(int argc, char** argv) {
  return run_reference(argc, argv, {controller_for<core::v1::Namespace>(observe)});
}
// [end]

}  // namespace keelson::examples
