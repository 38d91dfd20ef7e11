function(hotseat_add_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic -Wconversion -Wshadow $<$<BOOL:${HOTSEAT_WERROR}>:-Werror>)
endfunction()
