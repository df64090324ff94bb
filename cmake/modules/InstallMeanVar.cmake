# The installed package: headers with what mlir-tblgen made of them, the exported targets
# MeanVar::..., AddMeanVar.cmake, and the configuration that find_package(MeanVar) reads.

include(CMakePackageConfigHelpers)

set(package_directory ${CMAKE_INSTALL_LIBDIR}/cmake/MeanVar)

foreach(directory ${PROJECT_SOURCE_DIR}/include/ ${PROJECT_BINARY_DIR}/include/)
  install(DIRECTORY ${directory} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
    COMPONENT MeanVar
    FILES_MATCHING
    PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc"
    PATTERN "CMakeFiles" EXCLUDE)
endforeach()

foreach(set MeanVarTargets MeanVarONNXTargets)
  install(EXPORT ${set} NAMESPACE MeanVar:: DESTINATION ${package_directory}
    COMPONENT MeanVar)
endforeach()

configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/MeanVarConfig.cmake.in
  ${PROJECT_BINARY_DIR}/MeanVarConfig.cmake
  INSTALL_DESTINATION ${package_directory})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/MeanVarConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/MeanVarConfig.cmake
  ${PROJECT_BINARY_DIR}/MeanVarConfigVersion.cmake
  ${PROJECT_SOURCE_DIR}/cmake/modules/AddMeanVar.cmake
  ${PROJECT_SOURCE_DIR}/cmake/modules/FindONNXProto.cmake
  DESTINATION ${package_directory} COMPONENT MeanVar)
