include(CMakePackageConfigHelpers)
include(GNUInstallDirs)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/hotseat)

install(TARGETS ${HOTSEAT_TARGETS} EXPORT hotseatTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(DIRECTORY include/hotseat DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.hpp")

# For find_package.
install(EXPORT hotseatTargets NAMESPACE hotseat:: DESTINATION ${package_dir})
configure_package_config_file(cmake/hotseatConfig.cmake.in hotseatConfig.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(hotseatConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/hotseatConfig.cmake
  ${PROJECT_BINARY_DIR}/hotseatConfigVersion.cmake
  DESTINATION ${package_dir})

# The explorer is a component of its own, since it needs Boost.Context.
if(HOTSEAT_BUILD_EXPLORER)
  install(TARGETS hotseat_explored EXPORT hotseatExploredTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT hotseatExploredTargets NAMESPACE hotseat:: DESTINATION ${package_dir})
endif()

# So is the mutex for Boost.Fiber.
if(TARGET hotseat_boost_fiber)
  install(TARGETS hotseat_boost_fiber EXPORT hotseatBoostFiberTargets
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY integrations/boost_fiber/include/hotseat
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
  install(EXPORT hotseatBoostFiberTargets NAMESPACE hotseat:: DESTINATION ${package_dir})
endif()

# For pkg-config.  The prefix is found from the place of the file, so the tree can be moved.
file(RELATIVE_PATH HOTSEAT_PC_TO_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
# Only archives are installed, so whatever they need belongs to the public flags.
list(TRANSFORM HOTSEAT_TARGETS PREPEND "-l" OUTPUT_VARIABLE libraries)
list(REVERSE libraries)
if(HOTSEAT_HWLOC_FOUND)
  list(APPEND libraries ${HWLOC_LDFLAGS})
endif()
list(JOIN libraries " " HOTSEAT_PC_LIBS)
configure_file(cmake/hotseat.pc.in hotseat.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hotseat.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
