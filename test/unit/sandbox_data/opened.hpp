// Functions of tests that create and read data files.
#pragma once

#include <catch2/catch_test_macros.hpp>
#include <map>
#include <memory>
#include <string>

#include "keelson/detail/sandbox/loop/recording_sink.hpp"
#include "keelson/detail/sandbox_data/data_file.hpp"
#include "test/support/temporary_folder.hpp"

namespace keelson::sandbox_data::fixtures {

using Objects = std::map<std::string, std::pair<std::uint64_t, std::string>>;  // "configmaps default/a": version, JSON

inline Result<std::unique_ptr<DataFile>> try_open(const std::string& path, const DataFileOptions& options = {}) {
  static sandbox::loop::RecordingSink sink;
  return DataFile::open(path, Logger(sink), options);
}

inline std::unique_ptr<DataFile> opened(const std::string& path, const DataFileOptions& options = {}) {
  auto file = try_open(path, options);
  INFO((file ? "" : file.error().text));
  REQUIRE(file);
  return std::move(*file);
}

inline Result<void> put(DataFile& file, const std::string& name, std::uint64_t version, const std::string& json) {
  return file.put({kube::config_maps(), kube::Key("default", name), version, json});
}

inline Result<void> erase(DataFile& file, const std::string& name, std::uint64_t version) {
  return file.erase(kube::config_maps(), kube::Key("default", name), version);
}

inline Result<std::uint64_t> read(DataFile& file, Objects& objects) {
  return file.load([&objects](const sandbox::Journal::Row& row) {
    objects[row.resource.plural + " " + row.key.text()] = {row.version, std::string(row.json)};
    return Result<void>();
  });
}

inline Objects all(DataFile& file) {
  Objects objects;
  REQUIRE(read(file, objects));
  return objects;
}

}  // namespace keelson::sandbox_data::fixtures
