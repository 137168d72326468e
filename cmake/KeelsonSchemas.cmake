# The schemas and protobuf messages of the kinds of Kubernetes in room `sandbox`; the build compresses them.
set(keelson_schemas "${CMAKE_SOURCE_DIR}/src/sandbox/fields/data/schemas.txt")
set(keelson_messages "${CMAKE_SOURCE_DIR}/src/sandbox/fields/data/messages.txt")
set(keelson_schemas_source "${CMAKE_BINARY_DIR}/schemas/compressed_schemas.cpp")
add_custom_command(OUTPUT "${keelson_schemas_source}"
  COMMAND "${CMAKE_COMMAND}" "-DINPUT=${keelson_schemas}" "-DMESSAGES=${keelson_messages}" "-DOUTPUT=${keelson_schemas_source}"
          -P "${CMAKE_CURRENT_LIST_DIR}/CompressSchemas.cmake"
  DEPENDS "${keelson_schemas}" "${keelson_messages}" "${CMAKE_CURRENT_LIST_DIR}/CompressSchemas.cmake"
  COMMENT "Compressing the schemas of Kubernetes" VERBATIM)
set_source_files_properties("${keelson_schemas_source}" PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
target_sources(keelson_sandbox PRIVATE "${keelson_schemas_source}")
