#include "src/doctor/watches.hpp"

#include <chrono>

#include "keelson/detail/base/go_text.hpp"
#include "keelson/kube/client.hpp"

namespace keelson::doctor {

using boost::asio::awaitable;

namespace {

// "5m12s" of 312.53 seconds.
std::string duration_of(json::View seconds) {
  const std::chrono::seconds whole(static_cast<std::int64_t>(seconds.number().value_or(0)));
  return base::format_go_duration(whole);
}

// No object has this name, so that the bookmark is the first event.
kube::ApiRequest watch_of(const kube::Resource& resource) {
  auto request = get_of(resource, "", "");
  request.verb = kube::Verb::kWatch;
  request.content = kube::Content::kMetadata;
  request.query = {{"allowWatchBookmarks", "true"},
                   {"fieldSelector", "metadata.name=keelson-doctor"},
                   {"sendInitialEvents", "true"},
                   {"resourceVersionMatch", "NotOlderThan"},
                   // Any state: the newest one would need etcd, and without etcd the bookmark would be late.
                   {"resourceVersion", "0"},
                   {"timeoutSeconds", "2"}};
  return request;
}

}  // namespace

awaitable<void> examine_watches(Reader& reader, const Installation& installation, const std::optional<Reading>& statusz,
                                Findings& findings) {
  const auto& controllers = installation.examined.controllers;
  if (!controllers.empty()) {
    StreamedReply watch;
    co_await reader.stream(watch_of(controllers.front().resource()), has_bookmark, watch);
    check_watch(watch, findings);
  }
  if (statusz) check_caches(*statusz, findings);
}

void check_watch(const StreamedReply& watch, Findings& findings) {
  if (!watch.opened) {
    const auto& error = watch.opened.error();
    // The CustomResourceDefinition is missing.
    if (kube::is_not_found(error)) return;
    const bool is_rejected = error.kind == Error::Kind::kStatus && (error.code == 400 || error.code == 422);
    if (!is_rejected) return findings.add_unreadable(Area::kWatches, error);
    findings.add("lists-not-streamed");
    findings.summarize(Area::kWatches, "plain lists");
  } else if (watch.body.find("k8s.io/initial-events-end") == std::string::npos) {
    // An API server that hangs sends no bookmark either.
    if (!watch.is_complete) {
      return findings.add_unreadable(Area::kWatches, timeout_error("a watch was not answered in time"));
    }
    // A bookmark may follow after the bytes that were read.
    if (watch.body.size() < limits::kStreamedBytes) findings.add("watch-without-bookmarks");
  } else {
    findings.summarize(Area::kWatches, "lists are streamed, watches have bookmarks");
  }
}

void check_caches(const Reading& statusz, Findings& findings) {
  auto summary = findings.summary(Area::kWatches);
  if (!summary.empty()) summary += "; ";
  const auto informers = statusz ? statusz->root().find("informers") : json::View();
  if (informers.size() == 0) {
    const auto* const reason = statusz ? "no caches in its /statusz" : "it was not asked";
    findings.summarize(Area::kWatches, summary + "those of the manager were not examined: " + reason);
    return;
  }
  int failing = 0;
  for (const json::View informer : informers.items()) {
    const auto problem = text_at(informer, {"problem"});
    if (problem.empty()) continue;
    ++failing;
    findings.add("cache-stale", text_at(informer, {"resource"}),
                 "for " + duration_of(informer.find("failingSeconds")) + ": " + problem, problem);
  }
  findings.summarize(Area::kWatches, summary + std::to_string(informers.size() - static_cast<std::size_t>(failing)) +
                                         " of " + std::to_string(informers.size()) +
                                         " caches of the manager are current");
}

}  // namespace keelson::doctor
