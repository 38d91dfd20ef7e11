# How the sanitizers behave at run time is in CMakePresets.json, in the environment of each preset.
function(hotseat_add_sanitizers target)
  if(HOTSEAT_SANITIZE)
    target_compile_options(${target} PRIVATE
      -fsanitize=${HOTSEAT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_link_options(${target} PRIVATE -fsanitize=${HOTSEAT_SANITIZE})
  endif()
  if(HOTSEAT_SANITIZE STREQUAL thread AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    # This sanitizer of g++ refuses fences.  Asio orders by its mutexes, too.
    target_compile_definitions(${target} PRIVATE ASIO_DISABLE_FENCED_BLOCK)
  endif()
endfunction()
