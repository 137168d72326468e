// Reconciles a Hikawa: one word of its song at a time, each an interval after the last.
#include <algorithm>
#include <map>

#include "keelson/base/text.hpp"
#include "keelson/controller/catch_up.hpp"
#include "keelson/controller/child.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/controller/status.hpp"
#include "keelson/kube/typed.hpp"
#include "src/controllers/hikawa/hikawa.hpp"
#include "src/controllers/hikawa/hikawa_song.hpp"
#include "src/controllers/hikawa/hikawa_status.hpp"
#include "src/controllers/hikawa/hikawa_types.hpp"

namespace keelson::controllers {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr const char* kSeedFlag = "hikawa-seed";
// A stranger's object that has the name of our next word is looked at again after so long.
constexpr async::Duration kForeignRetry = 1min;
// The same for one that is on its way out: its finalizers may take their time.
constexpr async::Duration kLeavingRetry = 1s;

using Outcome = controller::Outcome;
using Hikawa = kube::Typed<HikawaSpec, HikawaStatus>;

// What the process knows of a song that goes on. It begins anew with the process: the first word of a new life comes
// an interval after its start, never sooner after the last one of the old life.
struct Singer {
  std::string uid;
  async::TimePoint last;                    // when the last word was said
  async::Duration pause{0};                 // the least time until the next one, longer than the interval
  std::optional<Hindrance> hindrance = {};  // what keeps it from being said
};

// One reconcile under way.
struct Pass {
  Hikawa hikawa;
  Song song;
  Singer& singer;
  Logger log;
};

class HikawaReconciler final : public controller::Reconciler {
 public:
  explicit HikawaReconciler(controller::Context& context) : context_(context), catch_up_(context) {
    if (auto given = context.optional_flag<std::int64_t>(kSeedFlag)) seed_ = *given;
  }

  asio::awaitable<Result<Outcome>> reconcile(kube::Key key, Logger log) override;

 private:
  [[nodiscard]] asio::awaitable<Result<std::optional<Hikawa>>> look(kube::Key key);
  [[nodiscard]] Result<std::optional<Hikawa>> known(const kube::Key& key) const;
  [[nodiscard]] Result<Song> listen(const kube::Object& hikawa) const;
  [[nodiscard]] asio::awaitable<Result<Outcome>> sing_on(Pass& pass);
  [[nodiscard]] static async::Duration pause_after(HikawaStep step, async::Duration until_due, const HikawaSpec& spec);
  [[nodiscard]] asio::awaitable<Result<void>> act(Pass& pass, HikawaStep step);
  [[nodiscard]] asio::awaitable<Result<void>> sing(Pass& pass);
  [[nodiscard]] asio::awaitable<Result<void>> say_kiyoshi(Pass& pass);
  [[nodiscard]] asio::awaitable<Result<bool>> say(Pass& pass, kube::Resource resource, std::string name,
                                                  std::string_view word);
  [[nodiscard]] asio::awaitable<Result<void>> change_spec(Pass& pass, HikawaSpec spec);
  [[nodiscard]] asio::awaitable<Result<void>> write_status(const Hikawa& hikawa, HikawaStatus status);
  [[nodiscard]] bool is_untold(const Hikawa& hikawa, const HikawaStatus& status) const;
  [[nodiscard]] HikawaStatus singing(const Pass& pass) const;
  [[nodiscard]] HikawaStatus sung(const Hikawa& hikawa) const;
  [[nodiscard]] Singer& recall(const kube::Object& hikawa);

  controller::Context& context_;
  controller::CatchUp catch_up_;
  std::optional<std::int64_t> seed_;
  std::map<kube::Key, Singer> singers_;
};

asio::awaitable<Result<Outcome>> HikawaReconciler::reconcile(kube::Key key, Logger log) {
  auto found = co_await look(key);
  if (!found) co_return std::move(found.error());
  if (!*found) {
    singers_.erase(key);
    co_return Outcome::done();
  }
  auto& hikawa = **found;
  log.debug("Reconciling a Hikawa: " + key.text());
  if (hikawa.status.kiyoshied) {
    log.debug(key.text() + " has kiyoshied.");
    singers_.erase(key);
    auto written = co_await write_status(hikawa, sung(hikawa));
    if (!written) co_return std::move(written.error());
    co_return Outcome::done();
  }
  auto song = listen(hikawa.object);
  if (!song) co_return std::move(song.error());
  auto& singer = recall(hikawa.object);
  Pass pass{std::move(hikawa), std::move(*song), singer, std::move(log)};
  co_return co_await sing_on(pass);
}

// The next word comes after what the API server knows, never after a cache that is behind another leader's words.
asio::awaitable<Result<std::optional<Hikawa>>> HikawaReconciler::look(kube::Key key) {
  auto hikawa = known(key);
  if (!hikawa || !*hikawa || (*hikawa)->status.kiyoshied) co_return hikawa;
  auto asked = co_await catch_up_.bring_up_to_date(hikawa_resource(), (*hikawa)->object, zundoko_resource());
  if (!asked) co_return std::move(asked.error());
  if (*asked) hikawa = known(key);
  co_return hikawa;
}

// None of one that is being deleted: what was said goes with its Hikawa, by garbage collection, and nothing more is
// said.
Result<std::optional<Hikawa>> HikawaReconciler::known(const kube::Key& key) const {
  auto found = context_.informer(hikawa_resource()).get(key);
  if (!found || found->deleting()) return std::optional<Hikawa>();
  auto hikawa = kube::read_typed<HikawaSpec, HikawaStatus>(*found);
  if (!hikawa) return terminal(std::move(hikawa.error()));
  kube::keep_conditions(hikawa->status.conditions, {"Ready", "Reconciling", "Stalled"});
  return std::optional<Hikawa>(std::move(*hikawa));
}

// The words whose controller has this uid: those of an earlier Hikawa of the name do not count.
Result<Song> HikawaReconciler::listen(const kube::Object& hikawa) const {
  auto zundokos = context_.informer(zundoko_resource()).owned_by(hikawa);
  std::erase_if(zundokos, [&](const auto& zundoko) { return !controller::is_controlled_by(zundoko, hikawa); });
  return hear(hikawa.name(), zundokos);
}

asio::awaitable<Result<Outcome>> HikawaReconciler::sing_on(Pass& pass) {
  const auto& [hikawa, song, singer, log] = pass;
  const auto due = singer.last + std::max(interval_of(hikawa.spec), singer.pause);
  HikawaMoment moment{.is_due = context_.clock.now() >= due, .is_told = singing(pass) == hikawa.status};
  auto step = next_step(hikawa.spec, hikawa.status, song, moment);
  auto acted = co_await act(pass, step);
  if (acted) co_return Outcome::requeue_after(pause_after(step, due - context_.clock.now(), hikawa.spec));
  if (controller::is_refusal(acted.error())) {
    const auto& error = acted.error();
    pass.singer.hindrance = {kube::Readiness::kStalled, "Refused",
                             error.server_text.empty() ? error.text : error.server_text};
    auto told = co_await write_status(hikawa, singing(pass));
    if (!told) log.debug("Failed to tell of a refusal", {{"error", told.error().message()}});
  }
  co_return std::move(acted.error());
}

// What a server with an older definition of the kind does not store is not told again at once; what it does store
// brings an event, and with it the next step.
async::Duration HikawaReconciler::pause_after(HikawaStep step, async::Duration until_due, const HikawaSpec& spec) {
  if (step == HikawaStep::kWait) return until_due;
  if (step == HikawaStep::kTell) return until_due > 0ns ? until_due : interval_of(spec);
  return 0ns;
}

asio::awaitable<Result<void>> HikawaReconciler::act(Pass& pass, HikawaStep step) {
  const auto name = pass.hikawa.object.key().text();
  const auto count = pass.song.count;
  auto spec = pass.hikawa.spec;
  switch (step) {
    case HikawaStep::kWait:
      break;
    case HikawaStep::kSing:
      pass.log.debug(name + " wants " + std::to_string(*spec.num_zundokos - count) + " more zundoko(s).");
      co_return co_await sing(pass);
    case HikawaStep::kTell:
      pass.log.debug(name + " has said " + std::to_string(count) + " zundoko(s). Updating the status.");
      co_return co_await write_status(pass.hikawa, singing(pass));
    case HikawaStep::kSayKiyoshi:
      pass.log.debug(name + " is going to say Kiyoshi!");
      co_return co_await say_kiyoshi(pass);
    case HikawaStep::kGetReady:
      pass.log.debug(name + " is ready to say Kiyoshi!");
      spec.say_kiyoshi = true;
      co_return co_await change_spec(pass, spec);
    case HikawaStep::kGoOn:
      pass.log.debug(name + " keeps going on ZUNDOKO.");
      spec.num_zundokos = count + 1;
      co_return co_await change_spec(pass, spec);
  }
  co_return Result<void>();
}

asio::awaitable<Result<void>> HikawaReconciler::sing(Pass& pass) {
  const auto key = pass.hikawa.object.key();
  const auto ordinal = pass.song.last_ordinal + 1;
  auto word = seed_ ? choose_word(*seed_, key, ordinal) : choose_word(context_.random);
  auto said = co_await say(pass, zundoko_resource(), zundoko_name(key.name, ordinal), word);
  if (!said) co_return std::move(said.error()).within("Failed to create Zundoko");
  co_return Result<void>();
}

asio::awaitable<Result<void>> HikawaReconciler::say_kiyoshi(Pass& pass) {
  auto said = co_await say(pass, kiyoshi_resource(), kiyoshi_name(pass.hikawa.object.name()), kKiyoshi);
  if (!said) co_return std::move(said.error()).within("Failed to create Kiyoshi");
  if (!*said) co_return Result<void>();
  co_return co_await write_status(pass.hikawa, sung(pass.hikawa));
}

// Whether the word is there now, by this or an earlier try. If it is not the next try comes later.
asio::awaitable<Result<bool>> HikawaReconciler::say(Pass& pass, kube::Resource resource, std::string name,
                                                    std::string_view word) {
  const kube::Key key(pass.hikawa.object.ns(), name);
  auto body = word_body(resource, pass.hikawa.object, name, word);
  if (!body) co_return terminal(std::move(body.error()));
  pass.log.info("Creating " + resource.kind, {{base::to_lower(resource.kind), name}});
  auto said = co_await controller::create_child(context_.client, resource, hikawa_resource(), pass.hikawa.object, key,
                                                std::move(*body));
  if (!said) co_return std::move(said.error());
  auto& singer = pass.singer;
  singer.last = context_.clock.now();
  singer.pause = async::Duration(0);
  singer.hindrance.reset();
  if (said->outcome == controller::Child::Outcome::kForeign) {
    singer.pause = kForeignRetry;
    singer.hindrance = {kube::Readiness::kStalled, "ForeignObject",
                        resource.kind + " " + key.text() + " exists and is not controlled by this Hikawa."};
  }
  if (said->outcome == controller::Child::Outcome::kWaiting) {
    singer.pause = kLeavingRetry;
    singer.hindrance = {kube::Readiness::kReconciling, "NameTaken",
                        resource.kind + " " + key.text() + " is not this Hikawa's and has still to go."};
  }
  co_return said->outcome == controller::Child::Outcome::kCreated ||
      said->outcome == controller::Child::Outcome::kUnchanged;
}

// Of the spec only the field that changes is sent, and only over what was read: a user may change it too.
asio::awaitable<Result<void>> HikawaReconciler::change_spec(Pass& pass, HikawaSpec spec) {
  auto changed = co_await kube::patch_spec(context_.client, hikawa_resource(), pass.hikawa, spec);
  const auto& object = pass.hikawa.object;
  if (!changed && kube::is_not_found(changed.error())) {
    context_.informer(hikawa_resource()).observe_delete(object.key(), object.uid());
    co_return Result<void>();
  }
  if (!changed) co_return std::move(changed.error()).within("Failed to update " + object.key().text());
  pass.singer.hindrance.reset();
  co_return Result<void>();
}

asio::awaitable<Result<void>> HikawaReconciler::write_status(const Hikawa& hikawa, HikawaStatus status) {
  if (status == hikawa.status) co_return Result<void>();
  auto written =
      co_await controller::apply_status(context_.client, hikawa_resource(), hikawa.object, kube::encode(status));
  const auto& object = hikawa.object;
  if (!written) co_return std::move(written.error()).within("Failed to update " + object.key().text());
  // The watch is late.
  if (!*written) context_.informer(hikawa_resource()).observe_delete(object.key(), object.uid());
  if (is_untold(hikawa, status)) {
    co_return invalid("the API server does not store the status of " + object.key().text());
  }
  co_return Result<void>();
}

// The cache has what was written, unless it went nowhere: the schema of the CustomResourceDefinition has no status, and
// to tell it again does not help. What was said and sung every definition of the kind has.
bool HikawaReconciler::is_untold(const Hikawa& hikawa, const HikawaStatus& status) const {
  const bool is_news =
      status.num_zundokos_said != hikawa.status.num_zundokos_said || status.kiyoshied != hikawa.status.kiyoshied;
  auto known = context_.informer(hikawa_resource()).get(hikawa.object.key());
  return is_news && known && known->uid() == hikawa.object.uid() &&
         known->resource_version() == hikawa.object.resource_version();
}

HikawaStatus HikawaReconciler::singing(const Pass& pass) const {
  const auto& [object, spec, before] = pass.hikawa;
  return judge_singing(before, pass.song.count, pass.singer.hindrance, object.generation(), context_.clock.wall_now());
}

HikawaStatus HikawaReconciler::sung(const Hikawa& hikawa) const {
  return judge_sung(hikawa.status, hikawa.object.generation(), context_.clock.wall_now());
}

// A new life of a name sings its own song.
Singer& HikawaReconciler::recall(const kube::Object& hikawa) {
  auto& singer = singers_[hikawa.key()];
  if (singer.uid != hikawa.uid()) singer = Singer{std::string(hikawa.uid()), context_.clock.now()};
  return singer;
}

}  // namespace

controller::Definition hikawa() {
  controller::WatchOptions zundokos;
  zundokos.projection = json::Projection::of({{"spec", "say"}});
  return controller::define(hikawa_kind())
      .brings(zundoko_kind())
      .brings(kiyoshi_kind())
      .owns(zundoko_resource(), zundokos)
      .flag<std::int64_t>(
          kSeedFlag, std::nullopt,
          "Seed of the songs of Hikawas: the same seed, namespace and name give the same song. Without it "
          "chance is the operating system's.")
      .needs({hikawa_resource().group, "hikawas", {"patch"}})
      .needs({zundoko_resource().group, "zundokos", {"create", "get", "patch"}})
      .needs({kiyoshi_resource().group, "kiyoshis", {"create", "get", "patch"}})
      .reconciled_by([](controller::Context& context) { return std::make_unique<HikawaReconciler>(context); });
}

}  // namespace keelson::controllers
