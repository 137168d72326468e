// An operator whose objects have a finalizer, for tests of `install` and `uninstall`: each Folder has a ConfigMap.
#include <optional>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/operator.hpp"

namespace {

using keelson::core::v1::ConfigMap;

struct FolderSpec {
  std::optional<std::string> path;
};
void describe(keelson::kube::Description& d, FolderSpec& spec) { d.field("path", spec.path, "Where it is."); }

struct Folder : keelson::CustomResource<FolderSpec> {
  static constexpr keelson::kube::Identity kIdentity{"files.example.com", "v1", "Folder"};
};

keelson::Reconciled reconcile(const Folder& folder, keelson::Pass<Folder>& pass) {
  KEELSON_CO_TRY(co_await pass.apply(ConfigMap{.metadata = {.name = folder.metadata.name}}));
  co_return keelson::done();
}

keelson::Reconciled empty_trash(const Folder&, keelson::Pass<Folder>&) { co_return keelson::done(); }

}  // namespace

int main(int argc, char** argv) {
  return keelson::run(
      "folders", argc, argv,
      {keelson::controller_for<Folder>(reconcile, keelson::Finalizer<Folder>{"files.example.com/trash", empty_trash})
           .owns<ConfigMap>()});
}
