#include "src/controller/stored_reconcile.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "keelson/detail/controller/limits.hpp"
#include "keelson/json/value.hpp"
#include "keelson/json/writer.hpp"

namespace keelson::controller {

namespace {

using std::chrono::microseconds;

std::int64_t micros(async::Duration duration) { return std::chrono::duration_cast<microseconds>(duration).count(); }

void write_name(json::Writer& writer, const RecordedName& name) {
  writer.integer(static_cast<std::int64_t>(name.form)).string(name.text);
}

// The last value of an enumeration bounds what a file may have.
template <class Enum>
std::optional<Enum> enum_of(json::View value, Enum last) {
  const auto number = value.integer();
  if (!number || *number < 0 || *number > static_cast<std::int64_t>(last)) return std::nullopt;
  return static_cast<Enum>(*number);
}

async::Duration duration_of(json::View value) {
  return microseconds(std::max<std::int64_t>(value.integer().value_or(0), 0));
}

std::string string_or_empty(json::View value) { return std::string(value.string().value_or("")); }

bool read_name(json::View list, std::size_t at, RecordedName& name) {
  const auto form = enum_of(list.item(at), RecordedName::Form::kOther);
  const auto text = list.item(at + 1).string();
  if (!form || !text || text->size() > RecordedName::kBytes) return false;
  name = {*form, std::string(*text)};
  return true;
}

bool read_reasons(ReconcileHistory& history, json::View list, ReconcileRecord& record) {
  for (const json::View stored : list.items()) {
    if (record.reasons.size() == limits::kRecordedReasons) return false;
    RecordedReason reason{history.texts.id_of(string_or_empty(stored.item(0))), {}};
    if (!read_name(stored, 1, reason.object)) return false;
    record.reasons.push_back(std::move(reason));
  }
  return true;
}

bool read_writes(ReconcileHistory& history, json::View list, ReconcileRecord& record) {
  for (const json::View stored : list.items()) {
    const auto verb = enum_of(stored.item(0), kube::Verb::kDeleteCollection);
    const auto effect = enum_of(stored.item(1), RecordedWrite::Effect::kUnknown);
    const auto fields = stored.item(5);
    const bool is_full = record.writes.size() == limits::kRecordedWrites || fields.size() > limits::kRecordedFields;
    if (!verb || !effect || is_full) return false;
    RecordedWrite write{*verb, *effect, history.texts.id_of(string_or_empty(stored.item(2))), {}, {}};
    if (!read_name(stored, 3, write.object)) return false;
    for (const json::View field : fields.items()) write.fields.push_back(history.texts.id_of(string_or_empty(field)));
    record.writes.push_back(std::move(write));
  }
  return true;
}

bool read_reads(ReconcileHistory& history, json::View list, ReconcileRecord& record) {
  for (const json::View stored : list.items()) {
    if (record.reads.size() == limits::kRecordedReads) return false;
    const auto count = [&](std::size_t at) { return static_cast<std::uint8_t>(stored.item(at).integer().value_or(0)); };
    record.reads.push_back({history.texts.id_of(string_or_empty(stored.item(0))), count(1), count(2)});
  }
  return true;
}

}  // namespace

std::string stored_line(const ReconcileHistory& history, std::string_view controller, const kube::Key& key,
                        const ReconcileRecord& record) {
  const auto& texts = history.texts;
  json::Writer writer;
  writer.begin_object().field("c", controller).field("ns", key.ns).field("n", key.name);
  writer.field("t", static_cast<std::int64_t>(
                        std::chrono::duration_cast<std::chrono::seconds>(record.began.time_since_epoch()).count()));
  writer.field("q", micros(record.waited)).field("d", micros(record.lasted)).field("a", micros(record.after));
  writer.field("r", static_cast<std::int64_t>(record.result)).field("f", record.retries);
  if (!record.is_complete) writer.field("cut", true);
  if (record.error != 0) writer.field("e", history.errors.text_of(record.error, key));
  writer.key("why").begin_array();
  for (const auto& reason : record.reasons) {
    writer.begin_array().string(texts.text_of(reason.reason));
    write_name(writer, reason.object);
    writer.end_array();
  }
  writer.end_array().key("w").begin_array();
  for (const auto& write : record.writes) {
    writer.begin_array().integer(static_cast<std::int64_t>(write.verb));
    writer.integer(static_cast<std::int64_t>(write.effect)).string(texts.text_of(write.kind));
    write_name(writer, write.object);
    writer.begin_array();
    for (const auto field : write.fields) writer.string(texts.text_of(field));
    writer.end_array().end_array();
  }
  writer.end_array().key("g").begin_array();
  for (const auto& read : record.reads) {
    writer.begin_array().string(texts.text_of(read.kind)).integer(read.cached).integer(read.consistent).end_array();
  }
  writer.end_array().end_object();
  return std::move(writer).take() + "\n";
}

std::optional<StoredReconcile> parse_stored(ReconcileHistory& history, std::string_view line) {
  const auto document = json::Document::parse(line);
  if (!document) return std::nullopt;
  const auto root = document->root();
  const auto began = root.find("t").integer();
  const auto result = enum_of(root.find("r"), ReconcileResult::kGone);
  const auto name = root.find("n").string();
  if (!began || *began < 0 || *began > UINT32_MAX || !result || !name || name->empty()) return std::nullopt;
  StoredReconcile stored{
      string_or_empty(root.find("c")), kube::Key(string_or_empty(root.find("ns")), std::string(*name)), {}};
  if (stored.key.text().size() > kLongestStoredKey) return std::nullopt;
  auto& record = stored.record;
  record.began = async::WallTime(std::chrono::seconds(*began));
  record.waited = duration_of(root.find("q"));
  record.lasted = duration_of(root.find("d"));
  record.after = duration_of(root.find("a"));
  record.result = *result;
  record.retries = static_cast<int>(std::min<std::int64_t>(root.find("f").integer().value_or(0), INT32_MAX));
  record.is_complete = root.find("cut").is_absent();
  const auto error = root.find("e").string();
  if (error) record.error = history.errors.add(*error, stored.key);
  const bool is_whole = read_reasons(history, root.find("why"), record) &&
                        read_writes(history, root.find("w"), record) && read_reads(history, root.find("g"), record);
  if (!is_whole) return std::nullopt;
  return stored;
}

}  // namespace keelson::controller
