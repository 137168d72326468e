#include "src/plan/live_copy.hpp"

#include <map>
#include <set>
#include <utility>

#include "keelson/base/try.hpp"
#include "keelson/detail/json/member_index.hpp"
#include "keelson/detail/json/patch.hpp"
#include "keelson/detail/kube/discovery.hpp"
#include "keelson/detail/kube/pager.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"
#include "src/plan/kinds_read.hpp"

namespace keelson::plan {

namespace {

// The JSON of all objects that a plan copies. The copy takes about three times as much memory.
constexpr std::size_t kPlanBytes = std::size_t{512} << 20;

constexpr std::int64_t kPage = 500;  // as client-go's pager

const kube::Resource kNamespaces = kube::namespaces();

constexpr std::string_view kTimestamp = "creationTimestamp";

// API servers before Kubernetes 1.35 print the timestamp that a template lacks as null, newer ones leave it out.
void write_without_null_timestamps(json::Writer& writer, json::View value) {
  if (value.is_array()) {
    writer.begin_array();
    for (const auto item : value.items()) write_without_null_timestamps(writer, item);
    writer.end_array();
  } else if (value.is_object()) {
    writer.begin_object();
    for (const auto& [name, member] : value.members()) {
      if (name == kTimestamp && member.is_null()) continue;
      writer.key(name);
      write_without_null_timestamps(writer, member);
    }
    writer.end_object();
  } else {
    value.write(writer);
  }
}

// Items of a list have no kind and apiVersion; stored objects begin with these.
std::string as_stored(const kube::Resource& resource, json::View object, bool has_null_timestamps) {
  json::Writer writer;
  writer.begin_object().field("kind", resource.kind).field("apiVersion", resource.api_version());
  for (const auto& [name, value] : object.members()) {
    if (name == "kind" || name == "apiVersion") continue;
    writer.key(name);
    has_null_timestamps ? write_without_null_timestamps(writer, value) : value.write(writer);
  }
  writer.end_object();
  return std::move(writer).take();
}

// The CRD with only one version, which needs no conversion.
Result<std::string> with_one_version(std::string_view definition, const std::string& version) {
  KEELSON_LET(auto document, json::Document::parse(definition));
  const auto candidate = json::item_with(document.root().at({"spec", "versions"}), "name", version);
  if (candidate.is_absent()) return malformed_error("the definition has no version " + version);
  KEELSON_LET(const auto only, json::merge_patch(candidate.text(), R"({"served":true,"storage":true})"));
  return json::merge_patch(definition, R"({"spec":{"conversion":{"strategy":"None"},"versions":[)" + only +
                                           R"(]},"status":{"storedVersions":[")" + version + R"("]}})");
}

// An object with an identity only.
std::string stub(const kube::Resource& resource, const kube::Key& key, std::string_view uid) {
  json::Writer writer;
  writer.begin_object().field("kind", resource.kind).field("apiVersion", resource.api_version()).key("metadata");
  writer.begin_object().field("name", key.name);
  if (!key.ns.empty()) writer.field("namespace", key.ns);
  writer.field("uid", uid).field("resourceVersion", "1").end_object().end_object();
  return std::move(writer).take();
}

Error cannot_list(Error error, const kube::Resource& resource) {
  if (!kube::is_forbidden(error)) return error;
  return std::move(error).with_context("a plan needs the verb list for " + resource.qualified_plural());
}

}  // namespace

class Copier {
 public:
  Copier(kube::Client& live, CopyOptions options)
      : live_(live), options_(std::move(options)), copy_(std::make_unique<LiveCopy>()) {}

  Task<std::unique_ptr<LiveCopy>> run() {
    for (auto& kind : kinds_read(options_.controllers)) {
      KEELSON_CO_TRY(co_await copy_kind(std::move(kind)));
    }
    KEELSON_CO_TRY(co_await copy_namespaces());
    add_missing_owners();
    co_return std::move(copy_);
  }

 private:
  Task<void> copy_kind(KindRead kind) {
    if (kind.resource.version.empty()) {
      auto found = co_await kube::discover_plural(live_, kind.resource.group, kind.resource.plural);
      if (!found && kube::is_not_found(found.error())) co_return note_absent(kind);
      if (!found) co_return std::move(found).error();
      kind.resource = std::move(*found);
    }
    if (!kind.is_own && !is_built_in_group(kind.resource.group)) {
      auto copied = co_await copy_definition(kind.resource);
      if (!copied) co_return copied;
    }
    auto copied = co_await copy_objects(kind.resource);
    if (!copied && kube::is_not_found(copied.error())) co_return note_absent(kind);
    if (!copied) co_return cannot_list(std::move(copied).error(), kind.resource);
    co_return copied;
  }

  Result<void> note_absent(const KindRead& kind) {
    if (kind.is_needed) {
      copy_->notes_.push_back("the cluster does not serve " + kind.resource.qualified_plural() +
                              ": the plan starts without objects of this kind");
    }
    return {};
  }

  Task<void> copy_definition(kube::Resource resource) {
    const auto name = resource.qualified_plural();
    auto definition = co_await kube::get(live_, kube::custom_resource_definitions(), kube::Key("", name));
    if (!definition && kube::is_not_found(definition.error())) co_return Result<void>();
    if (!definition && kube::is_forbidden(definition.error())) {
      co_return std::move(definition)
          .error()
          .with_context("a plan needs the verb get for customresourcedefinitions.apiextensions.k8s.io");
    }
    if (!definition) co_return std::move(definition).error();
    auto text = with_one_version(definition->json(), resource.version);
    if (!text) co_return std::move(text).error().with_context("read the definition of " + name);
    co_return add(kube::custom_resource_definitions(), *text);
  }

  Task<void> copy_objects(kube::Resource resource) {
    auto namespaces = options_.namespaces;
    if (namespaces.empty() || !resource.namespaced) namespaces = {""};
    for (const auto& ns : namespaces) {
      kube::Pager pages(live_, resource, {.ns = ns, .limit = kPage});
      for (;;) {
        KEELSON_CO_LET(const auto page, co_await pages.next());
        if (page.items.empty()) break;
        for (const auto& object : page.items) {
          auto added = add(resource, object.json());
          if (!added) co_return added;
        }
      }
    }
    co_return Result<void>();
  }

  // Without the permission to list Namespaces, their names follow from the copied objects.
  Task<void> copy_namespaces() {
    auto copied = options_.namespaces.empty() ? co_await copy_objects(kNamespaces) : Result<void>();
    if (!copied && !kube::is_forbidden(copied.error())) co_return copied;
    std::set<std::string> known;
    std::set<std::string> used(options_.namespaces.begin(), options_.namespaces.end());
    for (const auto& row : copy_->rows_) {
      if (row.resource == kNamespaces) known.insert(row.key.name);
      if (!row.key.ns.empty()) used.insert(row.key.ns);
    }
    for (const auto& name : used) {
      if (known.contains(name)) continue;
      const kube::Key key("", name);
      copy_->rows_.push_back({kNamespaces, key, 1, stub(kNamespaces, key, "uncopied-namespace-" + name)});
    }
    co_return Result<void>();
  }

  // The garbage collector must not treat owners as deleted that were only not copied. The stubs have plurals of their
  // own, so that no controller reads them.
  void add_missing_owners() {
    std::map<std::string, LiveCopy::StoredRow> missing;
    for (const auto& row : copy_->rows_) {
      auto object = kube::Object::from_json(row.json);
      if (!object) continue;
      object->for_each_owner([&](const kube::OwnerReference& owner) {
        const std::string uid(owner.uid);
        if (uids_.contains(uid) || missing.contains(uid)) return;
        const auto slash = owner.api_version.find('/');
        const bool is_core = slash == std::string_view::npos;
        const auto group = is_core ? std::string_view() : owner.api_version.substr(0, slash);
        const auto version = is_core ? owner.api_version : owner.api_version.substr(slash + 1);
        kube::Resource resource(group, version, owner.kind, "uncopied-" + std::string(owner.kind));
        kube::Key key(row.key.ns, uid);
        missing.emplace(uid, LiveCopy::StoredRow{resource, key, 1, stub(resource, key, uid)});
      });
    }
    for (auto& [uid, row] : missing) copy_->rows_.push_back(std::move(row));
  }

  Result<void> add(const kube::Resource& resource, std::string_view json) {
    KEELSON_LET(auto document, json::Document::parse(json));
    const bool has_null_timestamps =
        is_built_in_group(resource.group) && json.find(R"("creationTimestamp":null)") != std::string_view::npos;
    auto text = as_stored(resource, document.root(), has_null_timestamps);
    KEELSON_LET(auto object, kube::Object::from_json(text));
    bytes_ += text.size();
    if (bytes_ > kPlanBytes) {
      return invalid_error("the objects of the cluster have more than " + std::to_string(kPlanBytes >> 20) +
                           " MiB of JSON: select fewer with --watch-namespaces or --controllers");
    }
    uids_.emplace(object.uid());
    copy_->rows_.push_back({resource, object.key(), object.resource_version(), std::move(text)});
    return {};
  }

  kube::Client& live_;
  CopyOptions options_;
  std::unique_ptr<LiveCopy> copy_;
  std::set<std::string> uids_;
  std::size_t bytes_ = 0;
};

Task<std::unique_ptr<LiveCopy>> LiveCopy::make(kube::Client& live, CopyOptions options) {
  Copier copier(live, std::move(options));
  auto made = co_await copier.run();
  co_return made;
}

Result<std::uint64_t> LiveCopy::load(const Visit& visit) {
  std::uint64_t newest = 0;
  for (const bool is_definition : {true, false}) {
    for (const auto& row : rows_) {
      if ((row.resource == kube::custom_resource_definitions()) != is_definition) continue;
      newest = std::max(newest, row.version);
      KEELSON_TRY(visit({row.resource, row.key, row.version, row.json}));
    }
  }
  return newest;
}

}  // namespace keelson::plan
