#include "src/cache/reflector.hpp"

#include "keelson/base/try.hpp"
#include "keelson/detail/async/timeout.hpp"
#include "keelson/detail/base/limits.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/json/metadata.hpp"
#include "keelson/detail/kube/pager.hpp"
#include "keelson/json/value.hpp"

namespace keelson::cache {
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

// The connection of a list that receives nothing for this time is dead.
constexpr auto kListSilence = 60s;
// A streamed list that takes longer is replaced by a list in pages, which progresses even if it is slow: a steady
// stream of changes must not hide that the list never ends.
constexpr auto kStreamedList = 2min;
// The API server sends a bookmark about once a minute; the limit is 2.5 times that.
constexpr auto kWatchSilence = 150s;
// A list arrives slower than it is parsed, so the loop would wake once for each object, which costs as much as storing
// it. Pausing briefly batches what arrives. There is a pause only after a read that had to wait, which bounds the cost.
constexpr auto kListPause = 1ms;
constexpr auto kHadToWait = 20us;
// A watch that is open for this time works.
constexpr auto kOpen = 1s;
constexpr std::string_view kInitialEventsEnd = "k8s.io/initial-events-end";

std::uint64_t number_of(std::string_view version) { return base::parse_number<std::uint64_t>(version).value_or(0); }

// A transport error contains the URL, whose timeoutSeconds differs in each attempt: equal errors must have equal texts.
std::string without_query(std::string text) {
  auto begin = text.find('?');
  if (begin == std::string::npos) return text;
  auto end = text.find('"', begin);
  text.erase(begin, end == std::string::npos ? end : end - begin);
  return text;
}

// The action that fixes the error, for the log; empty: retrying may be enough.
std::string remedy(const Error& error, const kube::Resource& resource) {
  if (kube::is_not_found(error)) {
    return "the API server does not serve " + resource.qualified_plural() + " in version " + resource.version +
           ": install its CustomResourceDefinition (kubectl apply -k config/crd)";
  }
  if (kube::is_forbidden(error)) {
    return "grant the verbs list and watch on " + resource.qualified_plural() + " to this manager's service account";
  }
  if (error.code == 401) return "renew the credentials that the error names; a file of theirs is read again";
  return "";
}

}  // namespace

Reflector::Reflector(async::Clock& clock, base::Random& random, Logger log, kube::Client& client,
                     metrics::Registry& registry, ServerOutage& outage, Sink& sink, const InformerOptions& what,
                     std::string ns)
    : clock_(clock),
      log_(std::move(log)),
      client_(client),
      outage_(outage),
      sink_(sink),
      what_(what),
      ns_(std::move(ns)),
      policy_(random),
      metrics_(registry, what.resource),
      buffer_(limits::kReadBytes),
      slice_(clock),
      last_heard_(clock.now()) {}

asio::awaitable<void> Reflector::run() {
  for (;;) {
    auto action = policy_.next(clock_.now());
    switch (action.kind) {
      case Action::Kind::kSleep:
        co_await sleep(action.wait);
        break;
      case Action::Kind::kList:
        co_await list(std::move(action));
        break;
      case Action::Kind::kStreamList:
      case Action::Kind::kWatch:
        co_await watch(std::move(action));
        break;
    }
  }
}

asio::awaitable<void> Reflector::sleep(async::Duration wait) {
  if (!is_unavailable_) co_return co_await async::sleep_for(clock_, wait);
  const bool is_woken = co_await outage_.sleep(wait);
  if (is_woken) policy_.server_answers_again();
}

// Opens a list or a watch.
Task<std::unique_ptr<net::Stream>> Reflector::open(kube::ApiRequest request) {
  const auto begun = clock_.now();
  auto stream = co_await client_.stream(std::move(request));
  if (!stream) {
    note_answer(stream.error(), begun);
    co_return stream;
  }
  outage_.answered();
  if (std::exchange(is_unavailable_, false)) {
    // The first event or bookmark of a watch may come a minute later.
    if (has_listed_) note_success();
    outage_.recovered();
  }
  co_return stream;
}

// Updates what is known about the server by the error of a request that began at `begun`.
void Reflector::note_answer(const Error& error, async::TimePoint begun) {
  const bool is_answer = error.kind == Error::Kind::kStatus;
  const bool is_busy = is_answer && (error.code == 429 || error.code >= 500);
  const bool is_unanswered = error.kind == Error::Kind::kTransport || error.kind == Error::Kind::kTimeout;
  if (is_unanswered) outage_.unanswered(begun);
  if (is_answer && !is_busy) outage_.answered();
  is_unavailable_ = is_unanswered || is_busy || is_of_start(error);
}

// A rejection that may only mean that the server has not read its RBAC rules and CRDs yet.
bool Reflector::is_of_start(const Error& error) const {
  return outage_.may_be_starting() && (kube::is_forbidden(error) || kube::is_not_found(error));
}

kube::ApiRequest Reflector::request(kube::Verb verb) const {
  kube::ApiRequest request;
  request.verb = verb;
  request.resource = what_.resource;
  request.key.ns = ns_;
  if (!what_.labels.empty()) request.query.emplace_back("labelSelector", what_.labels.text());
  if (!what_.fields.empty()) request.query.emplace_back("fieldSelector", what_.fields.text());
  if (std::holds_alternative<OnlyMetadata>(what_.content)) request.content = kube::Content::kMetadata;
  return request;
}

asio::awaitable<void> Reflector::list(Action action) {
  ++epoch_;
  attempt_ = {.kind = action.kind, .began = clock_.now()};
  std::optional<Result<void>> result;
  auto pages = async::detail::store<void>(list_pages(std::move(action)), result);
  auto deadline = [this] { return alive_until(); };
  co_await async::finish_while_alive(clock_, deadline, std::move(pages));
  if (result && *result) co_return;
  auto error = result ? std::move(result->error()) : timeout_error("list: no data received for 60s");
  if (policy_.list_failed(error, attempt_.page) == Policy::ListFailure::kTokenExpired) {
    log_.debug("A continue token has expired", {{"error", error.message()}}, 2);
  } else {
    note_trouble(error);
  }
}

Task<void> Reflector::list_pages(Action action) {
  std::string continue_token;
  kube::CircleOfPages circle("");
  for (;;) {
    auto page = request(kube::Verb::kList);
    if (action.page_size != 0) page.query.emplace_back("limit", std::to_string(action.page_size));
    if (!continue_token.empty()) {
      page.query.emplace_back("continue", continue_token);
    } else if (!action.resource_version.empty()) {
      page.query.emplace_back("resourceVersion", action.resource_version);
      if (action.resource_version != "0") page.query.emplace_back("resourceVersionMatch", "NotOlderThan");
    }
    KEELSON_CO_LET(auto envelope, co_await list_page(std::move(page)));
    KEELSON_CO_LET(auto document, json::Document::parse(envelope));
    auto metadata = document.root().find("metadata");
    continue_token = metadata.find("continue").string().value_or("");
    if (!continue_token.empty()) {
      auto entered = circle.enter(continue_token);
      if (!entered) co_return std::move(entered).error().with_context("list");
      attempt_.page = Policy::Page::kLater;
      continue;
    }
    auto version = metadata.find("resourceVersion").string();
    if (!version || version->empty()) co_return malformed_error("list: the reply has no metadata.resourceVersion");
    if (complete_list(std::string(*version))) {
      co_await publish_list();
    } else {
      policy_.start_over();
    }
    co_return Result<void>();
  }
}

Task<std::string> Reflector::list_page(kube::ApiRequest request) {
  KEELSON_CO_LET(auto stream, co_await open(std::move(request)));
  json::ListSplitter splitter;
  auto put = [this](std::string_view item) {
    static_cast<void>(sink_.put(item, epoch_, phase()));  // has logged an error
    return Result<void>();
  };
  for (;;) {
    KEELSON_CO_LET(auto chunk, co_await read(*stream));
    if (chunk.empty()) break;
    KEELSON_CO_TRY(splitter.feed(chunk, put));
  }
  co_return splitter.finish();
}

// The next bytes of the stream, empty at its end. Decoding a list that has arrived yields by time, so that it does not
// delay other work.
Task<std::string_view> Reflector::read(net::Stream& stream) {
  if (slice_.is_over()) co_await slice_.yield();
  auto asked = clock_.now();
  KEELSON_CO_LET(auto count, co_await stream.read_some(buffer_));
  slice_.spend(count);
  auto now = clock_.now();
  if (count > 0) {
    last_heard_ = now;
    outage_.heard();
  }
  bool is_ahead = now - asked > kHadToWait;
  if (is_ahead) slice_.restart();
  if (is_ahead && !policy_.has_listed()) co_await async::sleep_for(clock_, kListPause);
  co_return std::string_view(buffer_.data(), count);
}

asio::awaitable<void> Reflector::watch(Action action) {
  const bool lists = action.kind == Action::Kind::kStreamList;
  if (lists) ++epoch_;
  attempt_ = {.kind = action.kind, .began = clock_.now()};
  auto stream = co_await open(watch_request(action));
  if (!stream) {
    note_trouble(stream.error());
    policy_.failed(stream.error());
    co_return;
  }
  Policy::StreamEnd end = Policy::Stalled();
  auto work = read_until_end(**stream, end);
  if (!lists) attempt_.open_since = clock_.now();
  auto deadline = [this] { return alive_until(); };
  co_await async::finish_while_alive(clock_, deadline, std::move(work));
  attempt_.open_since.reset();
  note_end(end);
  policy_.stream_ended(end, course());
}

kube::ApiRequest Reflector::watch_request(const Action& action) const {
  auto request = this->request(kube::Verb::kWatch);
  request.query.emplace_back("allowWatchBookmarks", "true");
  request.query.emplace_back("timeoutSeconds", std::to_string(action.timeout_seconds));
  if (action.kind == Action::Kind::kStreamList) {
    request.query.emplace_back("sendInitialEvents", "true");
    request.query.emplace_back("resourceVersionMatch", "NotOlderThan");
  }
  if (!action.resource_version.empty()) request.query.emplace_back("resourceVersion", action.resource_version);
  return request;
}

ListWatchPolicy::Course Reflector::course() const {
  const auto now = clock_.now();
  const bool is_short = now - attempt_.began < 1s;
  // The API server accepts a watch from a version that it has not reached yet (after a restored backup), and sends
  // nothing until it does.
  const bool is_long_silent = now - last_heard_ >= kWatchSilence;
  if (attempt_.events == 0 && (is_short || is_long_silent)) return Policy::Course::kBarren;
  return is_short ? Policy::Course::kShort : Policy::Course::kLong;
}

async::TimePoint Reflector::alive_until() const {
  if (unpublished_) return clock_.now() + kWatchSilence;
  const auto heard = std::max(last_heard_, attempt_.began);
  if (policy_.has_listed()) return heard + kWatchSilence;
  const auto silent = heard + kListSilence;
  return attempt_.kind == Action::Kind::kStreamList ? std::min(silent, attempt_.began + kStreamedList) : silent;
}

Sink::Phase Reflector::phase() const {
  if (policy_.has_listed()) return Sink::Phase::kWatch;
  return has_listed_ ? Sink::Phase::kRelist : Sink::Phase::kFirstList;
}

// Sets `end` when the stream ends, and not if it is canceled before.
asio::awaitable<void> Reflector::read_until_end(net::Stream& stream, Policy::StreamEnd& end) {
  end = co_await read_events(stream);
}

asio::awaitable<ListWatchPolicy::StreamEnd> Reflector::read_events(net::Stream& stream) {
  json::LineSplitter splitter;
  std::optional<Policy::StreamEnd> end;
  auto take = [this, &end](std::string_view line) {
    if (!end) end = on_line(line);
    return Result<void>();
  };
  for (;;) {
    auto chunk = co_await read(stream);
    if (!chunk) co_return Policy::Broken{std::move(chunk.error())};
    if (chunk->empty()) co_return Policy::Closed();
    auto fed = splitter.feed(*chunk, take);
    if (unpublished_) co_await publish_list();
    if (end) co_return std::move(*end);
    if (!fed) co_return Policy::Broken{std::move(fed.error())};
  }
}

std::optional<ListWatchPolicy::StreamEnd> Reflector::on_line(std::string_view line) {
  auto event = kube::parse_watch_line(line);
  if (!event) return Policy::Broken{std::move(event.error())};
  ++attempt_.events;
  metrics_.count_event(event->type);
  switch (event->type) {
    case kube::WatchEvent::Type::kError:
      return Policy::Rejected{
          kube::error_from_status(event->object).with_context("watch " + what_.resource.qualified_plural())};
    case kube::WatchEvent::Type::kBookmark:
      return on_bookmark(event->object);
    case kube::WatchEvent::Type::kDeleted:
      return on_object(sink_.erase(event->object));
    case kube::WatchEvent::Type::kAdded:
    case kube::WatchEvent::Type::kModified: {
      const auto version = sink_.put(event->object, epoch_, phase());
      // The initial objects of a streamed list have no order of versions.
      return policy_.has_listed() ? on_object(version) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<ListWatchPolicy::StreamEnd> Reflector::on_object(const Result<std::uint64_t>& version) {
  if (!version) return Policy::Broken{version.error()};
  if (*version != 0) moved_to(std::to_string(*version));
  return std::nullopt;
}

std::optional<ListWatchPolicy::StreamEnd> Reflector::on_bookmark(std::string_view object) {
  auto metadata = json::scan_metadata(object);
  if (!metadata || metadata->resource_version.empty()) return std::nullopt;
  std::string version(metadata->resource_version);
  if (policy_.has_listed()) {
    moved_to(std::move(version));
    return std::nullopt;
  }
  // The first bookmark of a streamed list marks its end. A first bookmark without the annotation shows that the server
  // ignores sendInitialEvents and only watches.
  if (json::scan_member(metadata->annotations, kInitialEventsEnd) != "true") return Policy::NotStreamed();
  if (!complete_list(version)) return Policy::WentBack();
  return std::nullopt;
}

bool Reflector::complete_list(const std::string& version) {
  const auto number = number_of(version);
  if (number < observed_version_ || sink_.is_contradicted(ns_, epoch_, number)) {
    log_.info("The API server was restored from a backup: its objects are older than the cached ones; relisting",
              {{"known", observed_version_}, {"listed", version}});
    observed_version_ = 0;
    sink_.went_back(ns_);
    return false;
  }
  policy_.listed(version);
  unpublished_ = Unpublished{.version_before = observed_version_, .listed_version = number};
  observed_version_ = number;
  return true;
}

asio::awaitable<void> Reflector::publish_list() {
  co_await sink_.sweep(ns_, epoch_, unpublished_->listed_version, slice_);
  unpublished_.reset();
  if (has_listed_) metrics_.count_relist();
  has_listed_ = true;
  note_success();
  sink_.listed();
}

void Reflector::moved_to(std::string version) {
  observed_version_ = std::max(observed_version_, number_of(version));
  policy_.passed(std::move(version));
  note_success();
}

void Reflector::note_end(const Policy::StreamEnd& end) {
  if (std::holds_alternative<Policy::NotStreamed>(end)) log_.debug("The API server does not stream lists", {}, 2);
  if (const auto* rejected = std::get_if<Policy::Rejected>(&end)) return note_trouble(rejected->error);
  const auto* broken = std::get_if<Policy::Broken>(&end);
  if (broken == nullptr) return;
  if (broken->error.kind == Error::Kind::kMalformed) return note_trouble(broken->error);
  log_.debug("Watch ended", {{"error", broken->error.message()}}, 2);
}

// Logs each cause once, not on every retry.
void Reflector::note_trouble(const Error& error) {
  if (is_of_start(error)) {
    log_.debug("The API server rejects the watch, perhaps because it has just started; retrying",
               {{"error", error.message()}}, 1);
    return;
  }
  auto text = without_query(error.message());
  if (problem_ && text == problem_->text) return;
  if (!problem_) problem_ = Problem{.text = "", .since = clock_.now(), .is_rejected = false};
  problem_->text = std::move(text);
  auto help = remedy(error, what_.resource);
  // Stays set until the watch works: an API server that is unavailable in between does not change the required fix.
  // A 401 is not about this kind: a manager without valid credentials does not become ready.
  problem_->is_rejected = problem_->is_rejected || (!help.empty() && error.code != 401);
  if (help.empty()) {
    log_.info("Watch failed; retrying", {{"error", problem_->text}});
  } else {
    log_.error(error, "Watch failed; the controllers that need it are waiting", {{"remedy", help}});
  }
}

bool Reflector::is_failing() const {
  // A watch whose version has expired is opened, and ends with an ERROR event immediately.
  const bool is_open = attempt_.open_since && clock_.now() - *attempt_.open_since >= kOpen;
  return problem_ && !is_open;
}

async::Duration Reflector::failing_for() const {
  return is_failing() ? clock_.now() - problem_->since : async::Duration(0);
}

void Reflector::note_success() {
  if (problem_) log_.info("Watch works again");
  problem_.reset();
}

}  // namespace keelson::cache
