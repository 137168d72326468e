// Why an object is in its state: the kinds of answers of `manager explain`, decided without I/O.
//
// docs/reference/explain.md lists the answers from the same table, in the order in which they are tried.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "keelson/async/clock.hpp"

namespace keelson::controller {

// What a manager knows about an object. Texts are empty, and numbers absent, if they do not apply.
struct ExplainFacts {
  std::string kind;  // as kubectl names it, "memcacheds.cache.example.com"
  std::string ns;    // empty for a cluster-scoped object
  std::string name;
  bool is_started = true;        // false: this replica is not the leader
  std::string unsynced;          // the kinds whose caches are incomplete, with the errors of their watches
  std::string stale;             // the kinds whose watches fail after the first list, for how long, and why
  bool exists = true;            // the cache has the object
  bool is_deleting = false;      // it has a deletionTimestamp
  std::string pause;             // sentences: the reason, and how to resume
  std::string controller_pause;  // since when the whole controller is paused at run time, with user and reason
  std::string child_pause;       // the message of the condition Paused, if a child is paused
  std::string conflict;          // the message of the condition Conflict, if it is True
  std::string stalled;           // reason and message of the condition Stalled, if it is True
  std::string degraded;          // the same of the condition Degraded, and since when
  std::string not_ready;         // the same of the condition Ready, if it is not True
  std::string progressing;       // the same of the condition Reconciling or Progressing, if one is True

  std::optional<async::Duration> in_progress;  // since when a worker has the object
  std::optional<async::Duration> queued;       // since when it waits for a worker
  std::optional<async::Duration> delay;        // until it is queued again
  int retries = 0;                             // failures since the last success
  std::string busy;                            // how often it is reconciled, if that is a mistake of the reconciler

  bool has_history = true;  // false: --reconcile-history is 0
  // kSuperseded: it ended early because of a newer spec or a pause, and the next one begins without a delay.
  enum class Last : std::uint8_t { kNone, kSuccess, kError, kTerminal, kPanic, kTimeout, kSuperseded };
  Last last = Last::kNone;  // the result of the last recorded reconcile; kNone: none is recorded
  std::string error;        // of a failed one; empty if it is not stored any more
  std::string written;      // the objects that it wrote: "Deployment default/web"
  bool is_dry_run = false;
};

// A kind of answer.
struct ExplainAnswer {
  std::string_view name;  // "failed": for scripts
  std::string_view text;  // a sentence in which "…" stands for a fact
  // What to do; empty: nothing. KIND, NAME and NAMESPACE stand for those of the object.
  std::string_view remedy;
};

// All answers, in the order in which they are tried. The last two are about a manager that has no such controller, or
// that cannot be asked.
[[nodiscard]] std::span<const ExplainAnswer> explain_answers();
// What an error text or the reason of a condition means. The tables of docs/troubleshooting.md have the same rows, and
// a test compares them. Cause and remedy are Markdown.
struct ExplainCause {
  std::string_view sign;  // a part of the error, or a reason; "…" stands for any text
  std::string_view cause;
  std::string_view remedy;
};
[[nodiscard]] std::span<const ExplainCause> explain_causes();

struct Explanation {
  const ExplainAnswer& answer;
  std::string text;    // with the facts
  std::string remedy;  // of the cause if it is known, otherwise of the answer, with the names of the object
};
[[nodiscard]] Explanation explain(const ExplainFacts& facts);
// The answer with this name, which must exist (asserted), with a fact for each "…" of its text.
// `ns`: what NAMESPACE stands for in its remedy.
[[nodiscard]] Explanation explain_as(std::string_view name, std::vector<std::string> facts, std::string_view ns = "");

// A duration with three digits, for people: "12s", "1.5s", "3.12ms".
[[nodiscard]] std::string short_duration_text(async::Duration duration);

}  // namespace keelson::controller
