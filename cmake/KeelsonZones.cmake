# The IANA time zones inside the library: tzdata's source, compiled by zic, then by zone_compiler into tables of C++.
#
# Go's own tests and Debian's packages use `zic -b fat`. The folder stays in the build tree, so that other programs
# (test/oracle) can use the same data through ZONEINFO.
set(KEELSON_ZONEINFO "${CMAKE_BINARY_DIR}/zones/zoneinfo")
set(keelson_zone_tables "${CMAKE_BINARY_DIR}/zones/zone_table.cpp")

file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/tools/zone_compiler/*.cpp")
list(APPEND sources "${CMAKE_SOURCE_DIR}/src/cron/year_rule.cpp")
keelson_build_tool(zone_compiler ${sources})

add_custom_command(OUTPUT "${keelson_zone_tables}"
  COMMAND "${CMAKE_COMMAND}" -E rm -rf "${KEELSON_ZONEINFO}"
  COMMAND "${KEELSON_ZIC}" -b fat -d "${KEELSON_ZONEINFO}" "${KEELSON_TZDATA}"
  COMMAND ${zone_compiler} "${KEELSON_ZONEINFO}" "${KEELSON_TZDATA}" "${keelson_zone_tables}"
  DEPENDS ${zone_compiler} "${KEELSON_TZDATA}"
  COMMENT "Compiling the time zones of tzdata ${KEELSON_TZDATA_VERSION}" VERBATIM)
target_sources(keelson_cron PRIVATE "${keelson_zone_tables}")
