# Many small files that include the same headers compile several times as fast in a few units.
#
# hotseat_batch(<variable> <name> <size> <sources>...): sets <variable> to files that include <size> of the
# sources each.  Unlike those of CMake's UNITY_BUILD they name the sources by paths from the root of the
# project, which the target needs in its include path: so the compiler's cache knows them in any clone.
function(hotseat_batch variable name size)
  set(units)
  set(includes "")
  set(count 0)
  foreach(source IN LISTS ARGN)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
    string(APPEND includes "#include \"${source}\"\n")
    math(EXPR count "${count} + 1")
    math(EXPR left "${count} % ${size}")
    list(LENGTH ARGN all)
    if(left EQUAL 0 OR count EQUAL all)
      list(LENGTH units number)
      set(unit ${CMAKE_CURRENT_BINARY_DIR}/batches/${name}_${number}.cpp)
      file(CONFIGURE OUTPUT ${unit} CONTENT "${includes}" @ONLY)
      list(APPEND units ${unit})
      set(includes "")
    endif()
  endforeach()
  set(${variable} ${units} PARENT_SCOPE)
endfunction()
