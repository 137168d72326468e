#include "src/controller/consistent_read.hpp"

#include "keelson/base/try.hpp"
#include "keelson/controller/owner_reference.hpp"
#include "keelson/detail/base/parse_number.hpp"
#include "keelson/detail/kube/pager.hpp"

namespace keelson::controller {
namespace asio = boost::asio;

namespace {

// A page is parsed in a single turn of the loop: fifty Jobs with large templates take little time and fit into a reply.
constexpr std::int64_t kPage = 50;

// Identifies what was listed for an object: itself, or its children of a kind.
std::string item_id_of(const kube::Object& object, const kube::Resource& listed) {
  return std::string(object.uid()) + " " + listed.qualified_plural();
}

}  // namespace

bool ConsistentRead::may_be_stale(const kube::Resource& resource, const kube::Resource& children) const {
  return !has_passed(context_.informer(resource)) || !has_passed(context_.informer(children));
}

Task<bool> ConsistentRead::refresh(kube::Resource resource, kube::Object object, kube::Resource children) {
  auto& own = context_.informer(resource);
  auto& others = context_.informer(children);
  if (!may_be_stale(resource, children)) {
    listed_.clear();
    co_return false;
  }
  auto item_id = item_id_of(object, children);
  if (listed_.contains(item_id)) co_return false;
  auto listed = co_await list_object(own, object);
  if (listed) listed = co_await list_children(others, std::move(object));
  if (!listed) co_return std::move(listed.error()).with_context("consistent read");
  listed_.insert(std::move(item_id));
  co_return true;
}

Task<bool> ConsistentRead::refresh(kube::Resource resource, kube::Object object) {
  auto& own = context_.informer(resource);
  auto item_id = item_id_of(object, resource);
  if (has_passed(own)) {
    listed_.erase(item_id);
    co_return false;
  }
  if (listed_.contains(item_id)) co_return false;
  auto listed = co_await list_object(own, std::move(object));
  if (!listed) co_return std::move(listed.error()).with_context("consistent read");
  listed_.insert(std::move(item_id));
  co_return true;
}

Task<void> ConsistentRead::list_object(cache::Informer& informer, kube::Object object) {
  kube::ListOptions options;
  options.ns = object.ns();
  options.fields = "metadata.name=" + std::string(object.name());
  options.content = informer.content();
  KEELSON_CO_LET(auto found, co_await kube::list(context_.client, informer.resource(), std::move(options)));
  observe_version(informer, found.resource_version);
  const bool is_gone = found.items.empty() || found.items.front().uid() != object.uid();
  if (is_gone) informer.observe_delete(object.key(), object.uid());
  for (const auto& item : found.items) informer.observe_write(item);
  co_return Result<void>();
}

Task<void> ConsistentRead::list_children(cache::Informer& informer, kube::Object object) {
  std::map<std::string, kube::Key, std::less<>> missing;  // known before the item_id, and not in the answer
  for (const auto& child : informer.owned_by(object)) {
    missing.emplace(child.uid(), child.key());
  }
  kube::ListOptions options;
  options.ns = object.ns();
  options.limit = kPage;
  options.content = informer.content();
  kube::Pager pages(context_.client, informer.resource(), std::move(options));
  for (;;) {
    KEELSON_CO_LET(const auto page, co_await pages.next());
    observe_version(informer, page.resource_version);
    if (page.items.empty()) break;
    for (const auto& child : page.items) {
      // A cached child that has another controller now still exists.
      const bool is_known = missing.erase(std::string(child.uid())) > 0;
      if (is_known || is_controlled_by(child, object)) informer.observe_write(child);
    }
  }
  for (const auto& [uid, key] : missing) informer.observe_delete(key, uid);
  co_return Result<void>();
}

bool ConsistentRead::has_passed(const cache::Informer& informer) const {
  auto first = first_listed_.find(&informer);
  return first != first_listed_.end() && informer.observed_version() >= first->second;
}

void ConsistentRead::observe_version(const cache::Informer& informer, const std::string& version) {
  first_listed_.try_emplace(&informer, base::parse_number<std::uint64_t>(version).value_or(0));
}

}  // namespace keelson::controller
