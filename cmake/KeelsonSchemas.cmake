# The schemas, their descriptions, forms, defaults, protobuf messages and validation rules of the kinds of Kubernetes in room `sandbox`; the
# build compresses them.
set(keelson_schemas "${CMAKE_SOURCE_DIR}/src/sandbox/fields/data/schemas.txt")
set(keelson_descriptions "${CMAKE_SOURCE_DIR}/src/sandbox/fields/data/descriptions.txt")
set(keelson_messages "${CMAKE_SOURCE_DIR}/src/sandbox/fields/data/messages.txt")
set(keelson_forms "${CMAKE_SOURCE_DIR}/src/sandbox/fields/data/forms.txt")
set(keelson_internal_forms "${CMAKE_SOURCE_DIR}/src/sandbox/fields/data/internal.txt")
set(keelson_defaults "${CMAKE_SOURCE_DIR}/src/sandbox/fields/data/defaults.txt")
set(keelson_rules "${CMAKE_SOURCE_DIR}/src/sandbox/validation/data/rules.txt")
set(keelson_schemas_source "${CMAKE_BINARY_DIR}/schemas/compressed_schemas.cpp")
add_custom_command(OUTPUT "${keelson_schemas_source}"
  COMMAND "${CMAKE_COMMAND}" "-DINPUT=${keelson_schemas}" "-DDESCRIPTIONS=${keelson_descriptions}" "-DMESSAGES=${keelson_messages}"
          "-DFORMS=${keelson_forms}" "-DDEFAULTS=${keelson_defaults}" "-DRULES=${keelson_rules}"
          "-DINTERNAL=${keelson_internal_forms}" "-DOUTPUT=${keelson_schemas_source}" -P "${CMAKE_CURRENT_LIST_DIR}/CompressSchemas.cmake"
  DEPENDS "${keelson_schemas}" "${keelson_descriptions}" "${keelson_messages}" "${keelson_forms}" "${keelson_defaults}" "${keelson_rules}"
          "${keelson_internal_forms}" "${CMAKE_CURRENT_LIST_DIR}/CompressSchemas.cmake"
  COMMENT "Compressing the schemas of Kubernetes" VERBATIM)
set_source_files_properties("${keelson_schemas_source}" PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
target_sources(keelson_sandbox PRIVATE "${keelson_schemas_source}")
