# `cmake --install`: headers, archives, programs, a find_package(keelson) config, and scripts for authors of operators.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# No installed archive contains prometheus-cpp, so its objects are part of ours.
target_sources(keelson PRIVATE $<TARGET_OBJECTS:keelson_prometheus>)
set_target_properties(keelson PROPERTIES EXPORT_NAME keelson)
target_compile_features(keelson INTERFACE cxx_std_20)
# The archive contains the only compiled copy of Asio, so programs that link it must use the same declarations.
target_compile_definitions(keelson INTERFACE
  BOOST_ASIO_SEPARATE_COMPILATION BOOST_ASIO_NO_DEPRECATED BOOST_BEAST_USE_STD_STRING_VIEW)
# An ignored Result would hide a failed request, in the code of authors as in ours. A coroutine that ends without a co_return has
# undefined behavior: usually it crashes.
target_compile_options(keelson INTERFACE
  $<$<COMPILE_LANG_AND_ID:CXX,Clang,AppleClang,GNU>:-Werror=unused-result -Werror=return-type>)
if(NOT KEELSON_SANITIZE)
  target_link_options(keelson INTERFACE "${KEELSON_WRAP_ALLOCATIONS}")
endif()
# A program contains only the kinds of Kubernetes that it names.
target_link_options(keelson INTERFACE -Wl,--gc-sections)
target_include_directories(keelson INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)

# The archive that tests, plans and reference generators of operators also link: a simulated cluster.
add_library(keelson_for_tests STATIC $<TARGET_OBJECTS:keelson_sandbox_loop> $<TARGET_OBJECTS:keelson_cel>
  $<TARGET_OBJECTS:keelson_sandbox> $<TARGET_OBJECTS:keelson_plan> $<TARGET_OBJECTS:keelson_reference>)
set_target_properties(keelson_for_tests PROPERTIES EXPORT_NAME testing OUTPUT_NAME keelson-testing LINKER_LANGUAGE CXX)
target_link_libraries(keelson_for_tests INTERFACE keelson)

set(keelson_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/keelson")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/keelsonConfig.cmake.in"
  "${CMAKE_BINARY_DIR}/keelsonConfig.cmake" INSTALL_DESTINATION "${keelson_config_dir}"
  PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file("${CMAKE_BINARY_DIR}/keelsonConfigVersion.cmake" COMPATIBILITY SameMinorVersion)

install(TARGETS keelson-program manager plan keelson-sandbox RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS keelson keelson_for_tests EXPORT keelsonTargets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT keelsonTargets NAMESPACE keelson:: DESTINATION "${keelson_config_dir}")
install(FILES "${CMAKE_BINARY_DIR}/keelsonConfig.cmake" "${CMAKE_BINARY_DIR}/keelsonConfigVersion.cmake"
  DESTINATION "${keelson_config_dir}")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/include/keelson" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING PATTERN "*.hpp")
install(FILES "${CMAKE_SOURCE_DIR}/LICENSE" "${CMAKE_SOURCE_DIR}/THIRD-PARTY-NOTICES" DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# The OpenSSL of the release binary: smaller than the system's, and not older than the library.
if(openssl_root)
  install(FILES "${OPENSSL_SSL_LIBRARY}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" RENAME libkeelson-ssl.a)
  install(FILES "${OPENSSL_CRYPTO_LIBRARY}" DESTINATION "${CMAKE_INSTALL_LIBDIR}" RENAME libkeelson-crypto.a)
endif()

# Programs on keelson::testing link RE2. Its notice is in THIRD-PARTY-NOTICES.
install(FILES ${re2_archives} DESTINATION "${CMAKE_INSTALL_LIBDIR}/keelson")

# What projects that `keelson init` creates are compiled with, and a real control plane for their tests.
set(keelson_data_dir "${CMAKE_INSTALL_DATADIR}/keelson")
install(PROGRAMS "${CMAKE_SOURCE_DIR}/scripts/setup" "${CMAKE_SOURCE_DIR}/scripts/cluster" DESTINATION "${keelson_data_dir}/scripts")
install(DIRECTORY "${CMAKE_SOURCE_DIR}/test/cluster/" DESTINATION "${keelson_data_dir}/test/cluster"
  FILES_MATCHING PATTERN "*.sh" PATTERN "*.yaml" PATTERN "*.go" PATTERN "go.mod" PATTERN "go.sum"
  PATTERN "harness" EXCLUDE PATTERN "operators" EXCLUDE)
