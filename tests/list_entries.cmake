# Runs after a test program is linked and writes its ctest entries to ENTRIES: one for each source file, and one for
# each case that is tagged [slow] or [alone] or needs a CUDA device. Hidden cases get none.
#
# Where HEADLESS is set, cases run with these variables of the environment and without SCREEN, but for those that are
# tagged [screen].
#
# TARGET PROGRAM ENTRIES PREFIX LABEL STEMS SCREEN HEADLESS ARGUMENTS ENVIRONMENT TIMEOUT SKIP_MARK CATCH_VERSION

cmake_minimum_required(VERSION 3.25)
if(CATCH_VERSION VERSION_LESS 3)
  set(list --list-test-names-only)
else()
  set(list --list-tests --verbosity quiet)
endif()

# A semicolon in a name would end it in a list.
string(ASCII 31 semicolon)

# Sets OUT to the names of the cases that SPEC selects, with ${semicolon} for ';'.
function(cases_of spec out)
  execute_process(COMMAND ${PROGRAM} --filenames-as-tags ${spec} ${list} OUTPUT_VARIABLE names ERROR_VARIABLE errors
    RESULT_VARIABLE result)
  # Catch2 2 returns the number of the cases.
  if(result LESS 0 OR NOT result MATCHES "^[0-9]+$")
    message(FATAL_ERROR "${PROGRAM} cannot list its tests: ${result}\n${names}${errors}")
  endif()
  string(REPLACE ";" "${semicolon}" names "${names}")
  string(REPLACE "\n" ";" names "${names}")
  list(REMOVE_ITEM names "")
  set(${out} "${names}" PARENT_SCOPE)
endfunction()

set(script "")
# Adds the entry NAME that runs the cases of SPEC, on the screen unless a fourth argument is "headless". If there is a
# fifth, no other test runs at the same time.
function(add_entry name spec label)
  set(environment ${ENVIRONMENT})
  if(ARGV3 STREQUAL headless)
    list(APPEND environment ${HEADLESS})
    set(SCREEN "")
  endif()
  if(label STREQUAL slow)
    list(APPEND environment KDSCOPE_EVERYTHING=1)
  endif()
  set(command "")
  foreach(word IN LISTS SCREEN PROGRAM ARGUMENTS)
    string(APPEND command " [==[${word}]==]")
  endforeach()
  # A time limit ends what hangs; it is no verdict on a busy machine.
  string(APPEND script "add_test([==[${name}]==]${command} --filenames-as-tags [==[${spec}]==])\n"
    "set_tests_properties([==[${name}]==] PROPERTIES LABELS ${label} TIMEOUT ${TIMEOUT}"
    " SKIP_REGULAR_EXPRESSION [==[${SKIP_MARK}]==]")
  if(environment)
    string(APPEND script " ENVIRONMENT [==[${environment}]==]")
  endif()
  if(ARGC GREATER 4)
    string(APPEND script " RUN_SERIAL ON")
  endif()
  string(APPEND script ")\n")
  set(script "${script}" PARENT_SCOPE)
endfunction()

# Excludes what has entries of its own. Stands last: Catch2 takes what follows a name for a part of it.
set(together "~[.]~[slow]~[alone]~[device]~*CUDA*")

# Adds entries for the cases of the sources: one on the screen and one without where these differ.
foreach(stem IN LISTS STEMS)
  set(name "${PREFIX} ${stem}")
  set(tags "[#${stem}]")
  set(which "")
  set(on_screen "")
  if(HEADLESS)
    cases_of("${tags}~[screen]${together}" cases)
    if(cases)
      add_entry("${name}" "${tags}~[screen]${together}" ${LABEL} headless)
    endif()
    set(which "[screen]")
    set(on_screen ", screen")
  endif()
  cases_of("${tags}${which}${together}" cases)
  if(cases)
    add_entry("${name}${on_screen}" "${tags}${which}${together}" ${LABEL})
  endif()
endforeach()

# Adds an entry for each case that SPEC selects.
function(add_single_entries spec label)
  cases_of("${spec}" cases)
  set(on_screen "${cases}")
  if(HEADLESS)
    cases_of("[screen]" on_screen)
  endif()
  cases_of("[serial]" serial)
  foreach(case IN LISTS cases)
    set(where headless)
    if(case IN_LIST on_screen)
      set(where screen)
    endif()
    if(case IN_LIST serial)
      list(APPEND where serial)
    endif()
    string(REPLACE "${semicolon}" ";" case "${case}")
    string(REGEX REPLACE "([][,])" "\\\\\\1" escaped "${case}")
    add_entry("${PREFIX} ${case}" "${escaped}" ${label} ${where})
  endforeach()
  set(script "${script}" PARENT_SCOPE)
endfunction()

add_single_entries("[slow]~[.]" slow)
add_single_entries("[alone]~[.]~[slow],[device]~[.]~[slow],*CUDA*~[.]~[slow]~[device]~[alone]" ${LABEL})
file(WRITE "${ENTRIES}" "${script}")
