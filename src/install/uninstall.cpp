#include "keelson/detail/install/uninstall.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/base/go_text.hpp"
#include "keelson/detail/base/text.hpp"
#include "keelson/detail/controller/finalizer.hpp"
#include "keelson/detail/kube/pager.hpp"
#include "keelson/json/value.hpp"
#include "src/install/blocking_webhooks.hpp"
#include "src/install/crd_ownership.hpp"
#include "src/install/deletion_policy.hpp"
#include "src/install/manager_signs.hpp"
#include "src/install/release_finalizers.hpp"
#include "src/install/writes.hpp"

namespace keelson::install {

namespace {

using boost::asio::awaitable;

// Objects of a namespace in a page that are worth a `deletecollection`, which needs a permission of its own.
constexpr std::size_t kDeleteCollectionObjects = 8;

// Objects that an error of `uninstall` lists: what fits on a screen.
constexpr std::size_t kUninstallExamples = 10;

// Comparisons of a CRD that another client changes meanwhile.
constexpr int kCompares = 5;

// A kind that the cluster has.
struct Kind {
  std::string name;  // "memcacheds.cache.example.com"
  kube::Resource resource;
  std::vector<std::string> finalizers;
  std::string crd_uid = {};  // empty: a kind of Kubernetes or of another program
  bool may_delete_collection = true;
  Tally tally = {};
};

// A version in which the API server serves the kind: the one of the program, or else the first one.
std::string served_version(json::View crd, const std::string& preferred) {
  std::string first;
  for (const auto version : crd.at({"spec", "versions"}).items()) {
    if (!version.find("served").boolean().value_or(false)) continue;
    std::string name(version.find("name").string().value_or(""));
    if (name == preferred) return name;
    if (first.empty()) first = std::move(name);
  }
  return first.empty() ? preferred : first;
}

class Uninstall {
 public:
  Uninstall(kube::Client& client, async::Clock& clock, UninstallOptions options, PrintLine print)
      : client_(client), clock_(clock), options_(std::move(options)), print_(std::move(print)) {}

  [[nodiscard]] Task<void> run();

 private:
  [[nodiscard]] Task<void> find_kinds();
  [[nodiscard]] Task<bool> read_crd(Kind& kind, const InstalledKind& installed);
  [[nodiscard]] Task<void> survey(Kind& kind);
  [[nodiscard]] Task<void> count(Kind& kind);
  [[nodiscard]] Task<void> check_crd_is_gone(const Kind& kind);
  void print_plan() const;
  [[nodiscard]] Task<void> check_manager();
  [[nodiscard]] Task<void> delete_objects();
  [[nodiscard]] Task<std::size_t> delete_round();
  [[nodiscard]] Task<std::size_t> delete_objects_of(Kind& kind);
  [[nodiscard]] Task<void> delete_page(Kind& kind, std::vector<kube::Object> objects, std::string& collected_ns);
  [[nodiscard]] Task<bool> delete_collection(Kind& kind, std::string ns);
  [[nodiscard]] Task<void> write(const Kind& kind, std::vector<Write> writes);
  void remember(const Kind& kind, const kube::Object& object, const ObjectState& state);
  [[nodiscard]] awaitable<Error> remaining_error(std::size_t remaining);
  [[nodiscard]] Task<void> delete_crds();
  [[nodiscard]] Task<void> wait_until_crd_is_gone(const Kind& kind, async::TimePoint deadline);
  [[nodiscard]] Task<void> release_other_kinds();

  kube::Client& client_;
  async::Clock& clock_;
  UninstallOptions options_;
  PrintLine print_;
  std::vector<Kind> kinds_;
  std::vector<std::string> examples_;  // of the last round: at most kUninstallExamples
  std::optional<Error> last_error_;    // a temporary one
};

Task<void> Uninstall::run() {
  KEELSON_CO_TRY(co_await find_kinds());
  print_plan();
  KEELSON_CO_TRY(co_await check_manager());
  if (options_.is_dry_run) co_return Result<void>();
  KEELSON_CO_TRY(co_await delete_objects());
  KEELSON_CO_TRY(co_await delete_crds());
  co_return co_await release_other_kinds();
}

Task<void> Uninstall::find_kinds() {
  for (const auto& installed : options_.kinds) {
    Kind kind{installed.resource.qualified_plural(), installed.resource, installed.finalizers};
    if (installed.has_crd) {
      KEELSON_CO_LET(const auto exists, co_await read_crd(kind, installed));
      if (!exists) continue;
    }
    KEELSON_CO_TRY(co_await survey(kind));
    kinds_.push_back(std::move(kind));
  }
  co_return Result<void>();
}

// False: the cluster does not have the CRD. If another client changes it while it is compared, it is read again.
Task<bool> Uninstall::read_crd(Kind& kind, const InstalledKind& installed) {
  for (int attempt = 1;; ++attempt) {
    auto crd = co_await kube::get(client_, kube::custom_resource_definitions(), {"", kind.name});
    if (!crd && kube::is_not_found(crd.error())) {
      print_(kind.name + ": the cluster does not have this CRD");
      co_return false;
    }
    if (!crd) co_return std::move(crd).error();
    KEELSON_CO_LET(const auto document, json::Document::parse(crd->json()));
    auto reason = co_await reason_to_keep(client_, *crd, document.root(), installed.crd);
    if (!reason && kube::is_conflict(reason.error()) && attempt < kCompares) continue;
    if (!reason) co_return std::move(reason).error();
    if (reason->empty()) {
      kind.crd_uid = crd->uid();
    } else {
      print_(kind.name + ": not deleted, with its objects: " + *reason);
    }
    kind.resource.version = served_version(document.root(), kind.resource.version);
    co_return true;
  }
}

Task<void> Uninstall::survey(Kind& kind) {
  auto counted = co_await count(kind);
  // The list was longer than the API server's history: once more from the start.
  if (!counted && kube::is_gone(counted.error())) counted = co_await count(kind);
  // Not served: a kind of another program that is not installed, or a CRD that was deleted meanwhile.
  if (!counted && kube::is_not_found(counted.error())) co_return co_await check_crd_is_gone(kind);
  co_return counted;
}

// After the 404 of a list. A CRD that is not established, or that serves no version, may have objects.
Task<void> Uninstall::check_crd_is_gone(const Kind& kind) {
  if (kind.crd_uid.empty()) co_return Result<void>();
  auto crd = co_await kube::get(client_, kube::custom_resource_definitions(), {"", kind.name});
  if (crd ? crd->uid() != kind.crd_uid : kube::is_not_found(crd.error())) co_return Result<void>();
  if (!crd) co_return std::move(crd).error();
  co_return invalid_error(kind.name +
                          ": the CRD exists, but the API server does not serve the kind, so its objects cannot be "
                          "listed. No CRD was deleted: set `served: true` for a version, or wait until it is "
                          "established");
}

Task<void> Uninstall::count(Kind& kind) {
  kind.tally = {};
  kube::Pager pages(client_, kind.resource, {.limit = kUninstallPage, .content = kube::Content::kMetadata});
  for (;;) {
    KEELSON_CO_LET(const auto page, co_await pages.next());
    if (page.items.empty()) co_return Result<void>();
    for (const auto& object : page.items) {
      kind.tally.add(object, state_of(object, kind.finalizers, client_.operator_name(), clock_.wall_now()));
    }
  }
}

void Uninstall::print_plan() const {
  for (const auto& kind : kinds_) {
    if (kind.crd_uid.empty()) continue;
    auto line = kind.name + ": " + (options_.is_dry_run ? "would delete " : "will delete ");
    if (kind.tally.objects > 0) line += describe(kind.tally) + ", then ";
    print_(line + "the CRD");
  }
}

Task<void> Uninstall::check_manager() {
  std::size_t blocked = 0;
  std::vector<std::string> finalizers;
  for (const auto& kind : kinds_) {
    // The objects of other kinds are not deleted, so only --remove-finalizers concerns them.
    if (kind.crd_uid.empty() && !options_.removes_finalizers) continue;
    if (kind.tally.with_own_finalizer == 0) continue;
    blocked += kind.tally.with_own_finalizer;
    finalizers.insert(finalizers.end(), kind.finalizers.begin(), kind.finalizers.end());
  }
  if (blocked == 0) co_return Result<void>();
  const auto what = count_of_objects(blocked) + (blocked == 1 ? " has" : " have") + " finalizers of the manager (" +
                    base::join(finalizers, ", ") + ")";
  auto signs = co_await find_manager(client_, clock_);
  if (!signs) co_return std::move(signs).error().with_context("find a running manager");
  if (options_.removes_finalizers && signs->is_running) {
    co_return invalid_error("nothing was deleted: a manager runs and would be interrupted while it cleans up: " +
                            signs->text + ". Leave out --remove-finalizers, or stop the manager first");
  }
  if (options_.removes_finalizers) {
    print_(what + ", which are removed without cleanup: " + signs->text);
    co_return Result<void>();
  }
  if (!signs->is_running) {
    co_return invalid_error(
        "nothing was deleted: " + what + ", and no manager runs to remove them: " + signs->text +
        ". Start the manager (outside of the cluster with --leader-elect), or, to delete the objects without their "
        "cleanup, add --remove-finalizers");
  }
  print_(what + ", which the manager removes: " + signs->text);
  co_return Result<void>();
}

Task<void> Uninstall::delete_objects() {
  Progress progress(clock_.now(), options_.timeout);
  async::Duration pause = kShortestPause;
  for (;;) {
    KEELSON_CO_LET(const auto remaining, co_await delete_round());
    const auto now = clock_.now();
    const bool is_new = progress.update(remaining, now);
    if (remaining == 0) co_return Result<void>();
    if (is_new) print_("waiting for " + count_of_objects(remaining));
    if (progress.has_ended(now)) co_return co_await remaining_error(remaining);
    co_await async::sleep_for(clock_, pause);
    pause = std::min<async::Duration>(2 * pause, kLongestPause);
  }
}

// Deletes what is not being deleted yet, also objects that were created meanwhile. Returns the number of objects that
// it has found.
Task<std::size_t> Uninstall::delete_round() {
  examples_.clear();
  std::size_t found = 0;
  for (auto& kind : kinds_) {
    if (kind.crd_uid.empty()) continue;
    auto objects = co_await delete_objects_of(kind);
    if (!objects) co_return std::move(objects).error();
    found += *objects;
  }
  co_return found;
}

Task<std::size_t> Uninstall::delete_objects_of(Kind& kind) {
  std::size_t found = 0;
  std::string collected_ns;
  kube::Pager pages(client_, kind.resource, {.limit = kUninstallPage, .content = kube::Content::kMetadata});
  for (;;) {
    auto page = co_await pages.next();
    if (!page && kube::is_not_found(page.error())) {
      KEELSON_CO_TRY(co_await check_crd_is_gone(kind));
      co_return found;
    }
    if (!page && kube::is_gone(page.error())) co_return found + 1;  // the next round reads the rest
    if (!page) co_return std::move(page).error();
    if (page->items.empty()) co_return found;
    found += page->items.size();
    auto deleted = co_await delete_page(kind, std::move(page->items), collected_ns);
    if (!deleted) co_return std::move(deleted).error();
  }
}

// `collected_ns` is the namespace of the last collection of this round.
Task<void> Uninstall::delete_page(Kind& kind, std::vector<kube::Object> objects, std::string& collected_ns) {
  std::vector<Write> writes;
  std::vector<Write> of_namespace;  // deletes of consecutive objects of a namespace
  for (std::size_t i = 0; i < objects.size(); ++i) {
    const auto object = objects[i];
    const std::string ns(object.ns());
    const auto state = state_of(object, kind.finalizers, client_.operator_name(), clock_.wall_now());
    remember(kind, object, state);
    if (!state.is_deleting) {
      of_namespace.push_back({object.key()});
    } else if (options_.removes_finalizers && !state.own.empty()) {
      writes.push_back({object.key(), controller::remove_finalizer_patch(object, state.own.front())});
    }
    const bool is_last_of_namespace = i + 1 == objects.size() || objects[i + 1].ns() != ns;
    if (!is_last_of_namespace || of_namespace.empty()) continue;
    bool is_collected = !ns.empty() && ns == collected_ns;
    if (!is_collected && kind.may_delete_collection && of_namespace.size() >= kDeleteCollectionObjects) {
      KEELSON_CO_LET(is_collected, co_await delete_collection(kind, ns));
      if (is_collected) collected_ns = ns;
    }
    if (!is_collected) std::move(of_namespace.begin(), of_namespace.end(), std::back_inserter(writes));
    of_namespace.clear();
  }
  co_return co_await write(kind, std::move(writes));
}

// False: the user may not do this, or may not do it with this kind.
Task<bool> Uninstall::delete_collection(Kind& kind, std::string ns) {
  auto deleted = co_await kube::remove_collection(client_, kind.resource, {.ns = ns}, {.propagation = "Foreground"});
  if (deleted || kube::is_not_found(deleted.error())) co_return true;
  if (is_temporary(deleted.error())) {
    last_error_ = std::move(deleted).error();
    co_return true;
  }
  if (!kube::is_forbidden(deleted.error())) co_return std::move(deleted).error();
  kind.may_delete_collection = false;
  co_return false;
}

Task<void> Uninstall::write(const Kind& kind, std::vector<Write> writes) {
  KEELSON_CO_LET(auto temporary, co_await write_all(client_, kind.resource, std::move(writes)));
  if (temporary) last_error_ = std::move(temporary);
  co_return Result<void>();
}

void Uninstall::remember(const Kind& kind, const kube::Object& object, const ObjectState& state) {
  if (examples_.size() >= kUninstallExamples) return;
  examples_.push_back("  " + kind.name + " " + object.key().text() + " " + reason_of(state));
}

awaitable<Error> Uninstall::remaining_error(std::size_t remaining) {
  auto text = count_of_objects(remaining) + (remaining == 1 ? " remains" : " remain") + ", and none went away for " +
              base::format_go_duration(options_.timeout) +
              ". No CRD was deleted. Remove the cause and run the command again:\n" + base::join(examples_, "\n");
  if (remaining > examples_.size()) text += "\n  and " + std::to_string(remaining - examples_.size()) + " more";
  if (last_error_) text += "\nlast error: " + last_error_->message();
  std::vector<kube::Resource> resources;
  for (const auto& kind : kinds_) {
    if (!kind.crd_uid.empty()) resources.push_back(kind.resource);
  }
  const auto webhooks = co_await blocking_webhooks(client_, std::move(resources), options_.webhook_paths);
  if (!webhooks.empty()) {
    text +=
        "\nThe API server removes finalizers only after it has called the webhooks of these kinds. If no pod of the "
        "manager is ready to serve them, delete their configurations: `kubectl delete " +
        base::join(webhooks, " ") + "`";
  }
  co_return timeout_error(std::move(text));
}

Task<void> Uninstall::delete_crds() {
  for (const auto& kind : kinds_) {
    if (kind.crd_uid.empty()) continue;
    auto deleted =
        co_await kube::remove(client_, kube::custom_resource_definitions(), {"", kind.name}, {.uid = kind.crd_uid});
    if (!deleted && !kube::is_not_found(deleted.error())) co_return std::move(deleted).error();
  }
  const auto deadline = clock_.now() + options_.timeout;
  for (const auto& kind : kinds_) {
    if (kind.crd_uid.empty()) continue;
    KEELSON_CO_TRY(co_await wait_until_crd_is_gone(kind, deadline));
  }
  co_return Result<void>();
}

Task<void> Uninstall::wait_until_crd_is_gone(const Kind& kind, async::TimePoint deadline) {
  for (;;) {
    auto crd = co_await kube::get(client_, kube::custom_resource_definitions(), {"", kind.name});
    if (crd ? crd->uid() != kind.crd_uid : kube::is_not_found(crd.error())) {
      print_(kind.name + " deleted");
      co_return Result<void>();
    }
    if (!crd) co_return std::move(crd).error();
    if (clock_.now() >= deadline) {
      co_return timeout_error(
          kind.name + ": the CRD was deleted and is not gone after " + base::format_go_duration(options_.timeout) +
          ". Objects that were created meanwhile may have finalizers: `kubectl get " + kind.name + " -A`");
    }
    co_await async::sleep_for(clock_, kShortestPause);
  }
}

// Objects of other kinds are not deleted, but a finalizer of the program would block their deletion for ever.
Task<void> Uninstall::release_other_kinds() {
  for (auto& kind : kinds_) {
    if (!kind.crd_uid.empty() || kind.tally.with_own_finalizer == 0) continue;
    const auto which = count_of_objects(kind.tally.with_own_finalizer) + " of " + kind.name + " with the finalizer " +
                       base::join(kind.finalizers, ", ");
    if (!options_.removes_finalizers) {
      print_("note: the cluster has " + which +
             ", and they cannot be deleted without the manager. Stop the manager, and run the command again with "
             "--remove-finalizers");
      continue;
    }
    KEELSON_CO_TRY(co_await release_finalizers(client_, clock_, kind.resource, kind.finalizers, options_.timeout));
    print_("removed the finalizer from " + which);
  }
  co_return Result<void>();
}

}  // namespace

Task<void> uninstall(kube::Client& client, async::Clock& clock, UninstallOptions options, PrintLine print) {
  Uninstall task(client, clock, std::move(options), std::move(print));
  co_return co_await task.run();
}

}  // namespace keelson::install
