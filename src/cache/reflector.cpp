#include "src/cache/reflector.hpp"

#include <charconv>

#include "keelson/async/timeout.hpp"
#include "keelson/base/limits.hpp"
#include "keelson/base/try.hpp"
#include "keelson/json/metadata.hpp"
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

std::uint64_t number_of(std::string_view version) {
  std::uint64_t number = 0;
  std::from_chars(version.data(), version.data() + version.size(), number);
  return number;
}

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
asio::awaitable<Result<std::unique_ptr<net::Stream>>> Reflector::open(kube::ApiRequest request) {
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
  if (what_.only_metadata) request.content = kube::Content::kMetadata;
  return request;
}

asio::awaitable<void> Reflector::list(Action action) {
  ++epoch_;
  is_later_page_ = false;
  std::optional<Result<void>> result;
  auto pages = async::detail::store<void>(list_pages(std::move(action)), result);
  began_ = clock_.now();
  auto deadline = [this] { return alive_until(); };
  co_await async::finish_while_alive(clock_, deadline, std::move(pages));
  if (result && *result) co_return;
  auto error = result ? std::move(result->error()) : timeout_error("list: no data received for 60s");
  using Policy = ListWatchPolicy;
  auto failure = policy_.list_failed(error, is_later_page_ ? Policy::Page::kLater : Policy::Page::kFirst);
  if (failure == Policy::ListFailure::kTokenExpired) {
    log_.debug("A continue token has expired", {{"error", error.message()}}, 2);
  } else {
    note_trouble(error);
  }
}

asio::awaitable<Result<void>> Reflector::list_pages(Action action) {
  std::string continue_token;
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
    is_later_page_ = !continue_token.empty();
    if (is_later_page_) continue;
    auto version = metadata.find("resourceVersion").string();
    if (!version || version->empty()) co_return malformed_error("list: the reply has no metadata.resourceVersion");
    complete_list(std::string(*version));
    if (version_before_sweep_) co_await publish_list();
    co_return Result<void>();
  }
}

asio::awaitable<Result<std::string>> Reflector::list_page(kube::ApiRequest request) {
  KEELSON_CO_LET(auto stream, co_await open(std::move(request)));
  json::ListSplitter splitter;
  auto put = [this](std::string_view item) {
    take(item);
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
asio::awaitable<Result<std::string_view>> Reflector::read(net::Stream& stream) {
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
  bool lists = action.kind == Action::Kind::kStreamList;
  if (lists) ++epoch_;
  is_streaming_list_ = lists;
  is_given_up_ = false;
  auto request = this->request(kube::Verb::kWatch);
  request.query.emplace_back("allowWatchBookmarks", "true");
  request.query.emplace_back("timeoutSeconds", std::to_string(action.timeout_seconds));
  if (lists) {
    request.query.emplace_back("sendInitialEvents", "true");
    request.query.emplace_back("resourceVersionMatch", "NotOlderThan");
  }
  if (!action.resource_version.empty()) request.query.emplace_back("resourceVersion", action.resource_version);

  began_ = clock_.now();
  auto stream = co_await open(std::move(request));
  if (!stream) {
    note_trouble(stream.error());
    policy_.failed(stream.error());
    co_return;
  }
  events_seen_ = 0;
  said_.reset();
  auto relists = policy_.relists();
  std::optional<Error> broken;
  auto deadline = [this] { return alive_until(); };
  auto work = read_events(**stream, broken);
  if (!lists) open_since_ = clock_.now();
  auto ended = co_await async::finish_while_alive(clock_, deadline, std::move(work));
  open_since_.reset();
  if (said_) {
    note_trouble(*said_);
    policy_.stream_failed(*said_);
    co_return;
  }
  if (is_given_up_ || policy_.relists() != relists) co_return;
  if (broken && broken->kind == Error::Kind::kMalformed) {
    note_trouble(*broken);
    policy_.failed(*broken);
    co_return;
  }
  if (broken) log_.debug("Watch ended", {{"error", broken->message()}}, 2);
  auto end = !ended   ? ListWatchPolicy::End::kStalled
             : broken ? ListWatchPolicy::End::kBroken
                      : ListWatchPolicy::End::kClosed;
  auto now = clock_.now();
  // The API server accepts a watch from a version that it has not reached yet (after a restored backup), and sends
  // nothing until it does.
  bool is_long_silent = now - last_heard_ >= kWatchSilence;
  policy_.stream_ended(end, course(now - began_ < 1s, is_long_silent));
}

ListWatchPolicy::Course Reflector::course(bool is_short, bool is_long_silent) const {
  if (events_seen_ == 0 && (is_short || is_long_silent)) return ListWatchPolicy::Course::kBarren;
  return is_short ? ListWatchPolicy::Course::kShort : ListWatchPolicy::Course::kLong;
}

async::TimePoint Reflector::alive_until() const {
  if (version_before_sweep_) return clock_.now() + kWatchSilence;
  auto heard = std::max(last_heard_, began_);
  if (policy_.has_listed()) return heard + kWatchSilence;
  return is_streaming_list_ ? std::min(heard + kListSilence, began_ + kStreamedList) : heard + kListSilence;
}

void Reflector::take(std::string_view object) {
  auto phase = policy_.has_listed() ? Sink::Phase::kWatch
               : has_listed_        ? Sink::Phase::kRelist
                                    : Sink::Phase::kFirstList;
  auto put = sink_.put(object, epoch_, phase);
  if (put) return;
  auto metadata = json::scan_metadata(object);
  log_.error(put.error(), "Ignored an object that cannot be parsed",
             {{"namespace", metadata ? metadata->namespace_ : ""}, {"name", metadata ? metadata->name : ""}});
}

// Reads until the stream ends, breaks, has an ERROR event (`said_`) or shows that a relist is needed.
asio::awaitable<void> Reflector::read_events(net::Stream& stream, std::optional<Error>& broken) {
  json::LineSplitter splitter;
  auto on_line = [this](std::string_view line) -> Result<void> {
    KEELSON_LET(auto event, kube::parse_watch_line(line));
    return on_event(event);
  };
  auto relists = policy_.relists();
  while (!said_ && !is_given_up_ && policy_.relists() == relists) {
    auto chunk = co_await read(stream);
    if (!chunk) {
      broken = std::move(chunk.error());
      co_return;
    }
    if (chunk->empty()) co_return;
    auto fed = splitter.feed(*chunk, on_line);
    if (version_before_sweep_) co_await publish_list();
    if (!fed) {
      broken = std::move(fed.error());
      co_return;
    }
  }
}

Result<void> Reflector::on_event(const kube::WatchEvent& event) {
  ++events_seen_;
  metrics_.count_event(event.type);
  switch (event.type) {
    case kube::WatchEvent::Type::kError:
      said_ = kube::error_from_status(event.object).with_context("watch " + what_.resource.qualified_plural());
      return {};
    case kube::WatchEvent::Type::kBookmark:
      on_bookmark(event.object);
      return {};
    case kube::WatchEvent::Type::kDeleted: {
      auto erased = sink_.erase(event.object);
      if (!erased) return erased;
      break;
    }
    case kube::WatchEvent::Type::kAdded:
    case kube::WatchEvent::Type::kModified: {
      take(event.object);
      // The initial objects of a streamed list have no order of versions.
      if (!policy_.has_listed()) return {};
      break;
    }
  }
  KEELSON_LET(auto metadata, json::scan_metadata(event.object));
  moved_to(metadata.resource_version);
  return {};
}

void Reflector::on_bookmark(std::string_view object) {
  auto metadata = json::scan_metadata(object);
  if (!metadata || metadata->resource_version.empty()) return;
  bool ends_list = json::scan_member(metadata->annotations, kInitialEventsEnd) == "true";
  if (!policy_.has_listed()) {
    if (ends_list) complete_list(std::string(metadata->resource_version));
    // The first bookmark of a streamed list marks its end. A first bookmark without the annotation shows that the
    // server ignores sendInitialEvents and only watches.
    if (!ends_list) give_up_streaming();
    return;
  }
  moved_to(metadata->resource_version);
}

void Reflector::give_up_streaming() {
  is_given_up_ = true;
  policy_.list_is_not_streamed();
  log_.debug("The API server does not stream lists", {}, 2);
}

void Reflector::complete_list(const std::string& version) {
  if (number_of(version) < observed_version_ || sink_.is_contradicted(ns_, epoch_, number_of(version))) {
    log_.info("The API server was restored from a backup: its objects are older than the cached ones; relisting",
              {{"known", observed_version_}, {"listed", version}});
    observed_version_ = 0;
    sink_.went_back(ns_);
    policy_.start_over();
    return;
  }
  policy_.listed(version);
  version_before_sweep_ = observed_version_;
  observed_version_ = listed_version_ = number_of(version);
}

asio::awaitable<void> Reflector::publish_list() {
  co_await sink_.sweep(ns_, epoch_, listed_version_, slice_);
  version_before_sweep_.reset();
  if (has_listed_) metrics_.count_relist();
  has_listed_ = true;
  note_success();
  sink_.listed();
}

void Reflector::moved_to(std::string_view version) {
  policy_.passed(std::string(version));
  observed_version_ = std::max(observed_version_, number_of(version));
  note_success();
}

// Logs each cause once, not on every retry.
void Reflector::note_trouble(const Error& error) {
  if (is_of_start(error)) {
    log_.debug("The API server rejects the watch, perhaps because it has just started; retrying",
               {{"error", error.message()}}, 1);
    return;
  }
  auto text = without_query(error.message());
  if (text == problem_) return;
  if (problem_.empty()) problem_since_ = clock_.now();
  problem_ = std::move(text);
  auto help = remedy(error, what_.resource);
  // Stays set until the watch works: an API server that is unavailable in between does not change the required fix.
  // A 401 is not about this kind: a manager without valid credentials does not become ready.
  is_rejected_ = is_rejected_ || (!help.empty() && error.code != 401);
  if (help.empty()) {
    log_.info("Watch failed; retrying", {{"error", problem_}});
  } else {
    log_.error(error, "Watch failed; the controllers that need it are waiting", {{"remedy", help}});
  }
}

bool Reflector::is_failing() const {
  // A watch whose version has expired is opened, and ends with an ERROR event immediately.
  const bool is_open = open_since_ && clock_.now() - *open_since_ >= kOpen;
  return !problem_.empty() && !is_open;
}

async::Duration Reflector::failing_for() const {
  return is_failing() ? clock_.now() - problem_since_ : async::Duration(0);
}

void Reflector::note_success() {
  if (!problem_.empty()) log_.info("Watch works again");
  problem_.clear();
  is_rejected_ = false;
}

}  // namespace keelson::cache
