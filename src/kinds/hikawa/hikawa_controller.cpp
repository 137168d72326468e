// Reconciles a Hikawa: one word of its song at a time, each an interval after the previous one.
#include <algorithm>
#include <map>

#include "keelson/controller/controller_for.hpp"
#include "keelson/controller/rejection.hpp"
#include "src/kinds/hikawa/hikawa.hpp"
#include "src/kinds/hikawa/hikawa_song.hpp"

namespace keelson::kinds {
namespace asio = boost::asio;

namespace {

constexpr const char* kSeedFlag = "hikawa-seed";

class HikawaReconciler {
 public:
  explicit HikawaReconciler(controller::Context& context) : context_(context) {
    seed_ = context.optional_flag<std::int64_t>(kSeedFlag);
  }

  [[nodiscard]] Reconciled reconcile(const Hikawa& hikawa, Pass<Hikawa>& pass);
  void forget(const kube::Key& hikawa) { last_words_.erase(hikawa); }

 private:
  // The time of the last word. A new process does not know it and starts with the time of its own start, so that the
  // interval since the last word of the former process is never too short.
  struct LastWord {
    std::string uid;
    async::TimePoint time;
  };

  [[nodiscard]] Reconciled sing_on(const Hikawa& hikawa, Song song, Pass<Hikawa>& pass);
  [[nodiscard]] Task<void> sing(const Hikawa& hikawa, std::int64_t ordinal, Pass<Hikawa>& pass);
  [[nodiscard]] Task<void> say_kiyoshi(const Hikawa& hikawa, Pass<Hikawa>& pass);
  [[nodiscard]] Task<void> change_spec(const Hikawa& before, HikawaSpec spec, Pass<Hikawa>& pass);
  [[nodiscard]] LastWord& last_word(const Hikawa& hikawa);

  controller::Context& context_;
  std::optional<std::int64_t> seed_;
  std::map<kube::Key, LastWord> last_words_;
};

Reconciled HikawaReconciler::reconcile(const Hikawa& hikawa, Pass<Hikawa>& pass) {
  pass.log.debug("Reconciling a Hikawa: " + hikawa.key().text());
  if (hikawa.status.kiyoshied) {
    pass.log.debug(hikawa.key().text() + " has kiyoshied.");
    forget(hikawa.key());
    pass.ready("Kiyoshied", "The song is over.");
    co_return done();
  }
  // The next word must not be decided by a cache that is older than the words of the former leader.
  KEELSON_CO_TRY(co_await pass.consistent_read<Zundoko>());
  KEELSON_CO_LET(auto song, hear(hikawa.name(), pass.child_objects<Zundoko>()));
  pass.status().num_zundokos_said = song.count;
  pass.reconciling("Singing", "The song goes on.");
  pass.report_immediately();
  co_return co_await sing_on(hikawa, std::move(song), pass);
}

// Each step is a write, and its change starts the next pass.
Reconciled HikawaReconciler::sing_on(const Hikawa& hikawa, Song song, Pass<Hikawa>& pass) {
  const auto name = hikawa.key().text();
  const auto interval = interval_of(hikawa.spec);
  const auto until_due = last_word(hikawa).time + interval - pass.clock.now();
  const bool is_due = until_due <= async::Duration(0);
  auto spec = hikawa.spec;
  switch (next_step(hikawa.spec, pass.stored_status(), song, is_due)) {
    case HikawaStep::kWait:
      // An API server with an older CRD may not store the count. The delay prevents a busy loop then.
      co_return requeue_after(is_due ? interval : until_due);
    case HikawaStep::kSing:
      pass.log.debug(name + " wants " + std::to_string(*spec.num_zundokos - song.count) + " more zundoko(s).");
      KEELSON_CO_TRY(co_await sing(hikawa, song.last_ordinal + 1, pass));
      pass.status().num_zundokos_said = song.count + 1;
      break;
    case HikawaStep::kSayKiyoshi:
      pass.log.debug(name + " is going to say Kiyoshi!");
      KEELSON_CO_TRY(co_await say_kiyoshi(hikawa, pass));
      co_return done();
    case HikawaStep::kGetReady:
      pass.log.debug(name + " is ready to say Kiyoshi!");
      spec.say_kiyoshi = true;
      KEELSON_CO_TRY(co_await change_spec(hikawa, spec, pass));
      break;
    case HikawaStep::kGoOn:
      pass.log.debug(name + " keeps going on ZUNDOKO.");
      spec.num_zundokos = song.count + 1;
      KEELSON_CO_TRY(co_await change_spec(hikawa, spec, pass));
      break;
  }
  co_return requeue_after(async::Duration(0));
}

Task<void> HikawaReconciler::sing(const Hikawa& hikawa, std::int64_t ordinal, Pass<Hikawa>& pass) {
  Zundoko zundoko;
  zundoko.metadata.name = zundoko_name(hikawa.name(), ordinal);
  zundoko.spec.say = seed_ ? choose_word(*seed_, hikawa.key(), ordinal) : choose_word(context_.random);
  pass.log.info("Creating Zundoko", {{"zundoko", zundoko.metadata.name}});
  auto said = co_await pass.create(std::move(zundoko));
  if (!said) co_return std::move(said).error().with_context("Failed to create Zundoko");
  last_word(hikawa).time = pass.clock.now();
  co_return Result<void>();
}

// The status retains the count, even if the Zundokos are deleted.
Task<void> HikawaReconciler::say_kiyoshi(const Hikawa& hikawa, Pass<Hikawa>& pass) {
  Kiyoshi kiyoshi;
  kiyoshi.metadata.name = kiyoshi_name(hikawa.name());
  kiyoshi.spec.say = kKiyoshi;
  pass.log.info("Creating Kiyoshi", {{"kiyoshi", kiyoshi.metadata.name}});
  auto said = co_await pass.create(std::move(kiyoshi));
  if (!said) co_return std::move(said).error().with_context("Failed to create Kiyoshi");
  pass.status().kiyoshied = true;
  pass.ready("Kiyoshied", "The song is over.");
  co_return Result<void>();
}

// Patches only the changed field of the spec, and only if the object is as it was read, because a user may change it
// too.
Task<void> HikawaReconciler::change_spec(const Hikawa& before, HikawaSpec spec, Pass<Hikawa>& pass) {
  auto after = before;
  after.spec = spec;
  const auto changed = co_await kube::patch(pass.client, before, after);
  if (changed) co_return Result<void>();
  if (kube::is_not_found(changed.error())) {
    context_.informer(kube::resource_of<Hikawa>()).observe_delete(before.key(), before.metadata.uid);
    co_return Result<void>();
  }
  if (pass.must_report(changed.error())) {
    pass.stalled("UpdateFailed", "Hikawa " + before.key().text() + ": " + controller::words_of(changed.error()));
  }
  co_return Error(changed.error()).with_context("Failed to update " + before.key().text());
}

// A later object of the same name has its own song.
HikawaReconciler::LastWord& HikawaReconciler::last_word(const Hikawa& hikawa) {
  auto& last = last_words_[hikawa.key()];
  if (last.uid != hikawa.metadata.uid) last = {hikawa.metadata.uid, context_.clock.now()};
  return last;
}

}  // namespace

controller::Definition hikawa() {
  const auto owner = kube::resource_of<Hikawa>();
  return controller_for<Hikawa, HikawaReconciler>()
      // Kiyoshis are not watched, so the create is retried within a minute while the name is taken.
      .backoff(std::chrono::milliseconds(5), std::chrono::minutes(1))
      .also_defines(controller::kind_of<Zundoko>())
      .also_defines(controller::kind_of<Kiyoshi>())
      .owns<Zundoko>({.content = json::Projection::of({{"spec", "say"}})}, controller::Deletion::kNeverDeletes)
      .flag<std::int64_t>(
          kSeedFlag, std::nullopt,
          "Seed of the songs of Hikawas: the same seed, namespace and name give the same song. Without it the songs "
          "are random.")
      .rbac({owner.group, "hikawas", {"patch"}})
      .rbac({owner.group, "kiyoshis", {"create", "list", "patch"}});
}

}  // namespace keelson::kinds
