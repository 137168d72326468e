// `manager uninstall`: deletes the objects of a program's kinds, and then their CRDs.
//
// An object with a finalizer of the program is removed only after the running manager has cleaned up. If its CRD were
// deleted first, or if no manager ran, the object and its namespace could not be deleted any more. Therefore:
// - Objects are deleted first, in the foreground, so that garbage collection deletes their children while their kind
//   still exists. A CRD is deleted only after its last object is gone.
// - If objects have finalizers of the program and no manager runs, nothing is deleted.
// - Finalizers are removed only on request, and only those that the program's controllers declare.
// - A CRD is deleted only if it is the program's: the program's `install` has applied it and no other program applies
//   it too, or its spec is exactly that of this program (kubectl has installed it). Other CRDs stay with
//   their objects, and a line of the output says why.
//
// Ownership: `client` and `clock` must outlive the call. Cancellation unwinds it; objects that were deleted are gone.
//
// Errors: kInvalid if no manager runs, or if one runs and finalizers are to be removed without it; kTimeout if no
// object went away for `timeout`, with the first objects that remain and their finalizers; the error of a request that
// is not allowed. The CRDs remain then, and the call can be repeated.
#pragma once

#include <string>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/result.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/install/install.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/schema/identity.hpp"

namespace keelson::install {

struct InstalledKind {
  kube::Resource resource;
  std::vector<std::string> finalizers = {};  // that the program's controllers add to its objects
  // False for a kind of Kubernetes or of another program: its objects are not deleted, only their finalizers are
  // removed.
  bool has_crd = true;
  // The program's CRD as JSON, to recognize one that `install` has not applied. Empty: such a CRD stays.
  std::string crd = {};
};

struct UninstallOptions {
  std::vector<InstalledKind> kinds;
  std::vector<std::string> webhook_paths = {};  // of the program: "/validate-cache-example-com-v1-memcached"
  bool is_dry_run = false;                      // prints what would be deleted
  bool removes_finalizers = false;              // for a program that does not run any more: nothing is cleaned up
  async::Duration timeout = std::chrono::seconds(60);  // without progress
};

// Prints what is deleted before it is deleted, the number of objects that remain each time it has changed, and a line
// for each deleted CRD.
[[nodiscard]] Task<void> uninstall(kube::Client& client, async::Clock& clock, UninstallOptions options,
                                   PrintLine print);

}  // namespace keelson::install
