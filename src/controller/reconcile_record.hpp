// A reconcile as the history records it: while it runs, in a few bytes, and as read again.
//
// A record has no value of any field: only kinds, names, verbs, paths of fields, counts and durations, and the text of
// an error.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"
#include "keelson/kube/client.hpp"
#include "keelson/kube/object.hpp"
#include "src/controller/history_texts.hpp"

namespace keelson::controller {

enum class ReconcileResult : std::uint8_t {
  kSuccess,
  kRequeue,     // succeeded, and requested another reconcile after a delay
  kError,       // retried with backoff
  kTerminal,    // an error that is not retried
  kPanic,       // an exception
  kTimeout,     // canceled after the controller's reconcile timeout
  kSuperseded,  // ended early, because a newer spec or a pause supersedes it
  kPaused,      // the object was paused
  kGone,        // the object did not exist
};
inline constexpr std::array kReconcileResults{
    ReconcileResult::kError,      ReconcileResult::kSuccess, ReconcileResult::kRequeue,
    ReconcileResult::kTerminal,   ReconcileResult::kPanic,   ReconcileResult::kTimeout,
    ReconcileResult::kSuperseded, ReconcileResult::kPaused,  ReconcileResult::kGone};
// "success", "requeue", …, as /debug/objects prints it.
[[nodiscard]] std::string_view result_name(ReconcileResult result);
[[nodiscard]] bool is_failure(ReconcileResult result);

// An object in a record: most have a name that begins with that of the reconciled object.
struct RecordedName {
  enum class Form : std::uint8_t {
    kNone,    // no object
    kSelf,    // namespace and name of the reconciled object
    kSuffix,  // its namespace; its name and `text`
    kOther,   // `text` is namespace and name
  };
  Form form = Form::kNone;
  std::string text;  // at most kBytes

  static constexpr std::size_t kBytes = 63;
  [[nodiscard]] static RecordedName of(const kube::Key& object, const kube::Key& reconciled);
  // "default/web"; empty for kNone.
  [[nodiscard]] std::string text_for(const kube::Key& reconciled) const;
  bool operator==(const RecordedName&) const = default;
};

struct RecordedReason {
  TextTable::Id reason = 0;  // "Deployment updated"
  RecordedName object;
  bool operator==(const RecordedReason&) const = default;
};

struct RecordedWrite {
  enum class Effect : std::uint8_t { kChanged, kCreated, kRejected, kUnknown };  // kUnknown: no reply
  kube::Verb verb = kube::Verb::kPatch;
  Effect effect = Effect::kChanged;
  TextTable::Id kind = 0;  // "Deployment", "Memcached/status"
  RecordedName object;
  std::vector<TextTable::Id> fields;  // at most limits::kRecordedFields
};

struct RecordedRead {
  TextTable::Id kind = 0;
  std::uint8_t cached = 0;      // reads from the cache, at most 255
  std::uint8_t consistent = 0;  // requests
};

struct ReconcileRecord {
  async::WallTime began;
  async::Duration waited{0};
  async::Duration lasted{0};
  async::Duration after{0};  // kRequeue: the delay; a failure: until its retry
  ReconcileResult result = ReconcileResult::kSuccess;
  int retries = 0;  // failures since the last success, with this one
  ErrorTable::Id error = 0;
  std::vector<RecordedReason> reasons;
  std::vector<RecordedWrite> writes;
  std::vector<RecordedRead> reads;
  bool is_complete = true;  // false: reasons, writes or reads beyond a limit were dropped
};

// The record in at most `limit` bytes, which must be at least kLeastRecordBytes. What does not fit is dropped.
inline constexpr std::size_t kLeastRecordBytes = 48;
[[nodiscard]] std::string pack(const ReconcileRecord& record, std::size_t limit);
// `bytes` is a result of pack(). Times have seconds, and durations microseconds.
[[nodiscard]] ReconcileRecord unpack(std::string_view bytes);
// The result of a packed record alone.
[[nodiscard]] ReconcileResult result_of(std::string_view bytes);

}  // namespace keelson::controller
