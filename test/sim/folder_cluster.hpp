// A simulated cluster in which `install` and `uninstall` run for a kind with children and a finalizer, Folder.
#pragma once

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "keelson/api/core/v1/config_map.hpp"
#include "keelson/async/task_group.hpp"
#include "keelson/base/task.hpp"
#include "keelson/controller/controller_for.hpp"
#include "keelson/detail/install/install.hpp"
#include "keelson/detail/install/uninstall.hpp"
#include "keelson/sandbox/simulated_cluster.hpp"
#include "keelson/schema/time.hpp"
#include "test/support/result_of.hpp"

namespace keelson::testing {

struct FolderSpec {
  std::optional<std::string> path;
};
inline void describe(kube::Description& d, FolderSpec& spec) { d.field("path", spec.path, "Where it is."); }
struct Folder : CustomResource<FolderSpec> {
  static constexpr kube::Identity kIdentity{"files.example.com", "v1", "Folder"};
};
inline const auto kFolders = kube::resource_of<Folder>();
inline constexpr const char* kFinalizer = "files.example.com/trash";

inline Reconciled keep(const Folder& folder, Pass<Folder>& pass) {
  KEELSON_CO_TRY(co_await pass.apply(core::v1::ConfigMap{.metadata = {.name = folder.metadata.name}}));
  co_return done();
}
inline Reconciled empty_trash(const Folder&, Pass<Folder>&) { co_return done(); }

inline controller::Definition folders() {
  return controller_for<Folder>(keep, Finalizer<Folder>{kFinalizer, empty_trash}).owns<core::v1::ConfigMap>();
}

// A version of the kind in the CRD, as former versions of the program had it.
inline kube::Kind kind_with(const std::string& version) {
  auto kind = controller::kind_of<Folder>();
  kind.resource.version = version;
  return kind;
}

class FolderCluster : public sandbox::SimulatedCluster {
 public:
  FolderCluster() : SimulatedCluster(folders()) { REQUIRE(install()); }

  Result<void> install(install::InstallOptions options = {}) {
    if (options.kinds.empty()) options.kinds = {controller::kind_of<Folder>()};
    lines.clear();
    return run([&] { return install::install(client(), loop.clock(), options, printer()); });
  }
  Result<void> uninstall(install::UninstallOptions options = {}) {
    if (options.kinds.empty()) options.kinds = {{kFolders, {kFinalizer}}};
    lines.clear();
    return run([&] { return install::uninstall(client(), loop.clock(), options, printer()); });
  }

  void create_folder(const std::string& ns, const std::string& name, const std::string& metadata = "") {
    REQUIRE(create(kFolders, ns,
                   R"({"apiVersion":"files.example.com/v1","kind":"Folder","metadata":{"name":")" + name + '"' +
                       metadata + R"(},"spec":{}})"));
  }
  // uninstall() while the manager that holds the Lease renews it once, after some seconds.
  Result<void> uninstall_during_renewal() {
    const install::UninstallOptions options{.kinds = {{kFolders, {kFinalizer}}}};
    lines.clear();
    std::optional<Result<void>> result;
    auto together = [&](async::TaskGroup& group) -> boost::asio::awaitable<void> {
      group.spawn(renew_lease());
      result = co_await install::uninstall(client(), loop.clock(), options, printer());
      co_await group.drain();
    };
    loop.run([&]() -> boost::asio::awaitable<void> { co_await async::with_task_group(together); });
    return *result;
  }

  // A Lease that its holder has just renewed.
  void create_lease() {
    REQUIRE(create(kube::leases(), "default",
                   R"({"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"keelson-manager"},)"
                   R"("spec":{"holderIdentity":"laptop_1","leaseDurationSeconds":15,"renewTime":")" +
                       kube::format_micro_time(loop.clock().wall_now()) + R"("}})"));
  }
  bool has_crd() const {
    return !get(kube::custom_resource_definitions(), {"", "folders.files.example.com"}).root().is_null();
  }
  std::size_t folder_count() const { return server.objects(kFolders).size(); }
  bool printed(const std::string& text) const {
    return std::ranges::any_of(lines, [&](const auto& line) { return line.find(text) != std::string::npos; });
  }
  kube::Client& client() { return server.client("admin"); }

  std::vector<std::string> lines;

 private:
  boost::asio::awaitable<void> renew_lease() {
    co_await async::sleep_for(loop.clock(), std::chrono::seconds(7));
    auto renewed =
        co_await kube::patch(client(), kube::leases(), {"default", "keelson-manager"}, kube::PatchType::kMerge,
                             R"({"spec":{"renewTime":")" + kube::format_micro_time(loop.clock().wall_now()) + R"("}})");
    CHECK(renewed);
  }
  install::PrintLine printer() {
    return [this](const std::string& line) { lines.push_back(line); };
  }
  Result<void> run(const std::function<Task<void>()>& work) { return result_of(loop, work()); }
};

inline std::string error_text(const Result<void>& result) { return result ? "" : result.error().message(); }

inline Error status_of_code(int code) {
  Error error(Error::Kind::kStatus, "");
  error.code = code;
  return error;
}

// From now on, request number `number` of any client fails with this error; true in the result after it has failed.
inline std::shared_ptr<bool> fail_request(FolderCluster& cluster, int number, Error error) {
  auto has_failed = std::make_shared<bool>(false);
  cluster.server.fail_next(
      [left = number, has_failed](const sandbox::RequestInfo&) mutable { return *has_failed = --left == 0; },
      std::move(error));
  return has_failed;
}

}  // namespace keelson::testing
