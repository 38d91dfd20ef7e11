# Fails unless an archive takes all its locks from us, and none from elsewhere.
#
#     cmake -DNM=nm -DARCHIVE=librebound.a -DSYMBOLS=rebound.syms -P check_symbols.cmake
cmake_minimum_required(VERSION 3.22)
execute_process(COMMAND ${NM} ${ARCHIVE}
  OUTPUT_VARIABLE listed RESULT_VARIABLE status ERROR_VARIABLE error)
if(status)
  message(FATAL_ERROR "${NM} cannot read ${ARCHIVE}: ${error}")
endif()
string(REPLACE "\n" ";" lines "${listed}")

set(referenced "")
set(strangers "")
# Locks, in C and in C++, as external references (U) or as copies in the archive (W, V, T); and
# thread-local addresses, which must not outlive the thread a task runs on.
set(locks "pthread_(mutex|cond|rwlock|spin|barrier|once|getspecific|setspecific)|sem_(wait|post|init)"
  "mtx_|cnd_|call_once|syscall$|__tls_get_addr|_ZTW"
  "_ZNK?St(18condition_variable|23_V2condition_variable_any|5mutex|15recursive_mutex|11timed_mutex)"
  "_ZNK?St(12shared_mutex|18shared_timed_mutex|10lock_guard|11unique_lock|18__shared_mutex)"
  "_ZNSt(9once_flag|13__atomic_wait|8__detail13__atomic)")
string(REPLACE ";" "|" locks "${locks}")
foreach(line IN LISTS lines)
  if(NOT line MATCHES "^[0-9a-f ]* ([A-Za-z]) ([^ ]+)$")
    continue()
  endif()
  set(name ${CMAKE_MATCH_2})
  if(name MATCHES "^hotseat_")
    list(APPEND referenced ${name})
  elseif(name MATCHES "^(${locks})")
    list(APPEND strangers ${name})
  endif()
endforeach()

if(strangers)
  list(REMOVE_DUPLICATES strangers)
  list(JOIN strangers ", " strangers)
  message(FATAL_ERROR "${ARCHIVE} has locks that are not rebound: ${strangers}")
endif()
file(STRINGS ${SYMBOLS} rules)
foreach(rule IN LISTS rules)
  string(REGEX REPLACE "^.* " "" name "${rule}")
  if(NOT name IN_LIST referenced)
    message(FATAL_ERROR "${ARCHIVE} does not use ${name}: it locks in a way we do not know")
  endif()
endforeach()
