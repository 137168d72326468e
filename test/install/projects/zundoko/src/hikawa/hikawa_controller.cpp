#include "hikawa/hikawa_controller.hpp"

#include <algorithm>
#include <map>

#include "hikawa/hikawa_types.hpp"
#include "keelson/operator.hpp"
#include "kiyoshi/kiyoshi_types.hpp"
#include "zundoko/zundoko_types.hpp"
// +scaffold:includes

namespace hikawa {
using namespace keelson;
using kiyoshi::Kiyoshi;
using zundoko::Zundoko;

namespace {

class HikawaReconciler {
 public:
  explicit HikawaReconciler(controller::Context& context) : random_(context.random) {}

  [[nodiscard]] Reconciled reconcile(const Hikawa& hikawa, Pass<Hikawa>& pass);
  void forget(const kube::Key& hikawa) { last_words_.erase(hikawa); }

 private:
  base::Random& random_;
  std::map<kube::Key, async::TimePoint> last_words_;  // the time of the last word of each song
};

// "hikawa-zundoko-0007": in the order of the song.
std::string word_name(const Hikawa& hikawa, std::size_t number) {
  const auto digits = std::to_string(number);
  return hikawa.name() + "-zundoko-" + std::string(digits.size() < 4 ? 4 - digits.size() : 0, '0') + digits;
}

// Zun Zun Zun Zun Doko.
bool is_over(const std::vector<Zundoko>& words) {
  constexpr std::size_t kLength = 5;
  if (words.size() < kLength || words.back().spec.say != "Doko") return false;
  return std::all_of(words.end() - kLength, words.end() - 1, [](const auto& word) { return word.spec.say == "Zun"; });
}

Reconciled HikawaReconciler::reconcile(const Hikawa& hikawa, Pass<Hikawa>& pass) {
  if (hikawa.status.kiyoshied) co_return done();
  KEELSON_CO_TRY(co_await pass.consistent_read<Zundoko>());
  KEELSON_CO_LET(auto words, pass.children<Zundoko>());
  std::sort(words.begin(), words.end(), [](const auto& a, const auto& b) { return a.metadata.name < b.metadata.name; });
  pass.status().num_zundokos_said = static_cast<std::int64_t>(words.size());
  if (is_over(words)) {
    Kiyoshi kiyoshi;
    kiyoshi.metadata.name = hikawa.name() + "-kiyoshi";
    kiyoshi.spec.say = "Kiyoshi!";
    KEELSON_CO_TRY(co_await pass.create(std::move(kiyoshi)));
    pass.status().kiyoshied = true;
    pass.ready("Kiyoshied", "The song is over.");
    co_return done();
  }
  pass.reconciling("Singing", "The song goes on.");
  const auto interval = std::chrono::milliseconds(hikawa.spec.interval_millis);
  auto& last = last_words_[hikawa.key()];
  if (const auto left = last + interval - pass.clock.now(); left.count() > 0) co_return requeue_after(left);
  Zundoko word;
  word.metadata.name = word_name(hikawa, words.size() + 1);
  word.spec.say = random_.between(0, 2) == 0 ? "Doko" : "Zun";
  KEELSON_CO_TRY(co_await pass.create(std::move(word)));
  last_words_[hikawa.key()] = pass.clock.now();
  co_return requeue_after(interval);
}

}  // namespace

controller::Definition hikawa() {
  auto definition = controller_for<Hikawa, HikawaReconciler>();
  definition.owns<Zundoko>();
  definition.owns<Kiyoshi>();
  // +scaffold:definition
  return definition;
}

}  // namespace hikawa
