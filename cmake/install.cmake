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

# The other machines are separate components, since they need Boost.Context.
if(HOTSEAT_BUILD_EXPLORER)
  foreach(machine explored simulated)
    install(TARGETS hotseat_${machine} EXPORT hotseat_${machine}
      ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
      INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
    install(EXPORT hotseat_${machine} FILE hotseat_${machine}.cmake
      NAMESPACE hotseat:: DESTINATION ${package_dir})
  endforeach()
endif()

# So are the fibers, for the same reason.
if(HOTSEAT_BUILD_FIBER)
  install(TARGETS hotseat_fiber EXPORT hotseatFiberTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(EXPORT hotseatFiberTargets NAMESPACE hotseat:: DESTINATION ${package_dir})
endif()

# So is the mutex for Boost.Fiber.
if(TARGET hotseat_boost_fiber)
  install(TARGETS hotseat_boost_fiber EXPORT hotseatBoostFiberTargets
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY integrations/boost_fiber/include/hotseat
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
  install(EXPORT hotseatBoostFiberTargets NAMESPACE hotseat:: DESTINATION ${package_dir})
endif()

# And what programs on Asio use.
if(TARGET hotseat_asio)
  install(TARGETS hotseat_asio EXPORT hotseatAsioTargets
    INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
  install(DIRECTORY integrations/asio/include/hotseat
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
  install(EXPORT hotseatAsioTargets NAMESPACE hotseat:: DESTINATION ${package_dir})
endif()

# For pkg-config.  The prefix is relative to the file, so the tree can be moved.
file(RELATIVE_PATH HOTSEAT_PC_TO_PREFIX
  ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
# Only archives are installed, so their dependencies belong to the public flags.
list(TRANSFORM HOTSEAT_TARGETS PREPEND "-l" OUTPUT_VARIABLE libraries)
list(REVERSE libraries)
if(HOTSEAT_HWLOC_FOUND)
  list(APPEND libraries ${HWLOC_LDFLAGS})
endif()
list(JOIN libraries " " HOTSEAT_PC_LIBS)
set(HOTSEAT_PC_DEFINES "")
if(NOT HOTSEAT_WITH_TRACE)
  set(HOTSEAT_PC_DEFINES " -DHOTSEAT_WITH_TRACE=0")
endif()
configure_file(cmake/hotseat.pc.in hotseat.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/hotseat.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(HOTSEAT_BUILD_FIBER)
  configure_file(cmake/hotseat-fiber.pc.in hotseat-fiber.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/hotseat-fiber.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
