// Lists a kind in a namespace (or in all), watches it, and relists after errors.
//
// ListWatchPolicy decides; the reflector sends the requests. Items are split off the stream, so the peak of memory is
// an object and a socket buffer.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/base/log.hpp"
#include "keelson/base/task.hpp"
#include "keelson/detail/async/time_slice.hpp"
#include "keelson/detail/base/random.hpp"
#include "keelson/detail/cache/informer.hpp"
#include "keelson/detail/json/scan.hpp"
#include "keelson/detail/kube/watch.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/metrics/registry.hpp"
#include "src/cache/cache_metrics.hpp"
#include "src/cache/list_watch_policy.hpp"
#include "src/cache/server_outage.hpp"

namespace keelson::cache {

// The receiver of a reflector's objects. `epoch` counts its lists.
class Sink {
 public:
  virtual ~Sink() = default;
  enum class Phase { kFirstList, kRelist, kWatch };
  // Stores the object, or removes it, and returns its resourceVersion; 0: it has none that is a number. put() logs and
  // ignores an object that cannot be parsed; the last parsed state stays in the cache. An object must not stop its
  // kind. kMalformed: not even its metadata can be read.
  [[nodiscard]] virtual Result<std::uint64_t> put(std::string_view object, std::uint32_t epoch, Phase phase) = 0;
  [[nodiscard]] virtual Result<std::uint64_t> erase(std::string_view object) = 0;
  // True if the list of `epoch` has older states than the cache, of versions that the list includes: the server went
  // back in time.
  [[nodiscard]] virtual bool is_contradicted(const std::string& ns, std::uint32_t epoch,
                                             std::uint64_t version) const = 0;
  // The server went back in time (etcd was restored from a backup): versions of cached objects are no longer
  // comparable.
  virtual void went_back(const std::string& ns) = 0;
  // The list of `epoch` is complete: removes the objects that it does not contain. These can be thousands, so it
  // yields.
  [[nodiscard]] virtual boost::asio::awaitable<void> sweep(std::string ns, std::uint32_t epoch, std::uint64_t version,
                                                           async::TimeSlice& slice) = 0;
  // The list and the removals have been published.
  virtual void listed() = 0;
};

class Reflector {
 public:
  // All references must outlive run().
  Reflector(async::Clock& clock, base::Random& random, Logger log, kube::Client& client, metrics::Registry& registry,
            ServerOutage& outage, Sink& sink, const InformerOptions& what, std::string ns);
  Reflector(const Reflector&) = delete;
  Reflector& operator=(const Reflector&) = delete;

  // Runs until it is canceled.
  [[nodiscard]] boost::asio::awaitable<void> run();

  // Empty: all namespaces.
  [[nodiscard]] const std::string& ns() const { return ns_; }
  [[nodiscard]] bool has_listed() const { return has_listed_; }
  // The last error of list or watch, until they work again.
  [[nodiscard]] std::string problem() const { return is_failing() ? problem_->text : std::string(); }
  [[nodiscard]] async::Duration failing_for() const;
  // The reflector waits for a CRD or an RBAC permission.
  [[nodiscard]] bool is_rejected() const { return problem_ && problem_->is_rejected; }
  // Everything up to this version has been published.
  [[nodiscard]] std::uint64_t observed_version() const {
    return unpublished_ ? unpublished_->version_before : observed_version_;
  }
  // List or watch have passed this version, although removals may not be published yet.
  [[nodiscard]] bool has_passed(std::uint64_t version) const {
    return observed_version_ != 0 && version <= observed_version_;
  }
  [[nodiscard]] async::TimePoint last_heard() const { return last_heard_; }

 private:
  using Policy = ListWatchPolicy;
  using Action = Policy::Action;
  // The current request.
  struct Attempt {
    Action::Kind kind = Action::Kind::kSleep;
    async::TimePoint began{};
    Policy::Page page = Policy::Page::kFirst;      // of a list
    std::optional<async::TimePoint> open_since{};  // of a watch
    std::uint64_t events = 0;                      // of a stream
  };
  // The error of the last request, until list or watch work again.
  struct Problem {
    std::string text;
    async::TimePoint since;
    bool is_rejected;  // by a missing CRD or RBAC permission
  };
  // A list that is complete, while its removals are not published.
  struct Unpublished {
    std::uint64_t version_before;
    std::uint64_t listed_version;
  };

  [[nodiscard]] boost::asio::awaitable<void> sleep(async::Duration wait);
  [[nodiscard]] boost::asio::awaitable<void> list(Action action);
  [[nodiscard]] Task<void> list_pages(Action action);
  [[nodiscard]] Task<std::string> list_page(kube::ApiRequest request);
  [[nodiscard]] boost::asio::awaitable<void> watch(Action action);
  [[nodiscard]] boost::asio::awaitable<void> read_until_end(net::Stream& stream, Policy::StreamEnd& end);
  [[nodiscard]] boost::asio::awaitable<Policy::StreamEnd> read_events(net::Stream& stream);
  [[nodiscard]] Task<std::string_view> read(net::Stream& stream);
  [[nodiscard]] kube::ApiRequest request(kube::Verb verb) const;
  [[nodiscard]] kube::ApiRequest watch_request(const Action& action) const;
  // These return the end of the stream if the line, the bookmark or the object is a reason to end it.
  [[nodiscard]] std::optional<Policy::StreamEnd> on_line(std::string_view line);
  [[nodiscard]] std::optional<Policy::StreamEnd> on_bookmark(std::string_view object);
  [[nodiscard]] std::optional<Policy::StreamEnd> on_object(const Result<std::uint64_t>& version);
  [[nodiscard]] Sink::Phase phase() const;
  [[nodiscard]] Policy::Course course() const;
  [[nodiscard]] async::TimePoint alive_until() const;
  // False: the version is impossible.
  [[nodiscard]] bool complete_list(const std::string& version);
  [[nodiscard]] boost::asio::awaitable<void> publish_list();
  void moved_to(std::string version);
  [[nodiscard]] Task<std::unique_ptr<net::Stream>> open(kube::ApiRequest request);
  void note_answer(const Error& error, async::TimePoint begun);
  [[nodiscard]] bool is_of_start(const Error& error) const;
  void note_end(const Policy::StreamEnd& end);
  void note_trouble(const Error& error);
  void note_success();
  // False even if the watch is open again and has sent nothing yet, which may take a minute.
  [[nodiscard]] bool is_failing() const;

  async::Clock& clock_;
  Logger log_;
  kube::Client& client_;
  ServerOutage& outage_;
  Sink& sink_;
  const InformerOptions& what_;
  std::string ns_;
  Policy policy_;
  ReflectorMetrics metrics_;
  std::vector<char> buffer_;
  async::TimeSlice slice_;
  std::uint32_t epoch_ = 0;
  bool has_listed_ = false;
  Attempt attempt_;
  std::optional<Problem> problem_;
  bool is_unavailable_ = false;  // the last request failed, and may succeed as soon as another one does
  std::uint64_t observed_version_ = 0;
  std::optional<Unpublished> unpublished_;
  async::TimePoint last_heard_{};  // last byte of a body; the headers of a watch do not count
};

}  // namespace keelson::cache
