# Writes the table of marked source regions, or the builders' pseudo-code after checking that it names regions that
# exist:
# cmake -DROOT=... -DFILES=LIST_FILE -DREGIONS=OUTPUT [-DTEXTS=OUTPUT] -P ExtractRegions.cmake
# cmake -DROOT=... -DFILES=LIST_FILE -DPSEUDOCODES=LIST_FILE -DPSEUDOCODE=OUTPUT -P ExtractRegions.cmake
# With TEXTS, the table is without its texts, which become that file.
# A region begins at a line `// [region NAME]` and ends at `// [endregion]`; names are unique, regions do not nest.
cmake_minimum_required(VERSION 3.25)

file(STRINGS ${FILES} paths)
set(table "")
set(texts "")
set(lengths "")
set(names "")
set(folders "")  # the folder of each name
foreach(path IN LISTS paths)
  file(READ ${path} rest)
  file(RELATIVE_PATH shown ${ROOT} ${path})
  set(line 1)
  while(TRUE)
    string(FIND "${rest}" "// [region " begin)
    if(begin EQUAL -1)
      break()
    endif()
    # Count the lines up to the marker; the text starts on the line after it.
    string(SUBSTRING "${rest}" 0 ${begin} skipped)
    string(REGEX REPLACE "[^\n]" "" newlines "${skipped}")
    string(LENGTH "${newlines}" count)
    math(EXPR line "${line} + ${count} + 1")
    string(SUBSTRING "${rest}" ${begin} -1 rest)
    string(FIND "${rest}" "\n" end_of_marker)
    string(SUBSTRING "${rest}" 0 ${end_of_marker} marker)
    if(NOT marker MATCHES "^// .region ([A-Za-z0-9_./-]+).$")
      message(FATAL_ERROR "${shown}: a region marker reads // [region NAME]")
    endif()
    set(name ${CMAKE_MATCH_1})
    if(name IN_LIST names)
      message(FATAL_ERROR "${shown}: region ${name} is marked twice")
    endif()
    list(APPEND names ${name})
    get_filename_component(folder ${path} DIRECTORY)
    list(APPEND folders ${folder})
    math(EXPR after "${end_of_marker} + 1")
    string(SUBSTRING "${rest}" ${after} -1 rest)
    string(FIND "${rest}" "// [endregion]" end)
    if(end EQUAL -1)
      message(FATAL_ERROR "${shown}: region ${name} has no // [endregion]")
    endif()
    string(SUBSTRING "${rest}" 0 ${end} text)
    string(REGEX REPLACE "[ \t]+$" "" text "${text}")
    if(TEXTS)
      string(APPEND texts "${text}")
      string(LENGTH "${text}" length)
      string(APPEND lengths "${length}, ")
      set(quoted "{}")
    else()
      set(quoted "R\"kdscope(${text})kdscope\"")
    endif()
    string(APPEND table "    {\"${name}\", \"${shown}\", ${line}, ${quoted}},\n")
    string(REGEX REPLACE "[^\n]" "" newlines "${text}")
    string(LENGTH "${newlines}" count)
    math(EXPR line "${line} + ${count}")
    string(SUBSTRING "${rest}" ${end} -1 rest)
  endwhile()
endforeach()

if(REGIONS)
  set(constant "constexpr ")
  set(giver "")
  if(TEXTS)
    file(WRITE ${TEXTS} "${texts}")
    set(constant "")
    set(giver "
void give_source_texts(const char* all) {
  constexpr std::size_t lengths[] = {${lengths}0};
  for (std::size_t i = 0; i < std::size(regions); all += lengths[i++]) regions[i].text = {all, lengths[i]};
}
")
  endif()
  file(WRITE ${REGIONS} "// Generated from the region marks in algorithms/.
#include \"algorithms/registry/source_regions.hpp\"

#include <iterator>

namespace kdscope {
namespace {

${constant}SourceRegion regions[] = {
${table}    {\"\", \"\", 0, \"\"}};

}  // namespace

std::span<const SourceRegion> source_regions() { return {regions, std::size(regions) - 1}; }

const SourceRegion* find_source_region(std::string_view name) {
  for (const SourceRegion& region : source_regions())
    if (region.name == name) return &region;
  return nullptr;
}
${giver}
}  // namespace kdscope
")
  return()
endif()

# Check that pseudo-code names only existing regions, and every region of its own folder. C++ code parses it and tests
# its other rules.
file(STRINGS ${PSEUDOCODES} paths)
set(texts "")
foreach(path IN LISTS paths)
  file(READ ${path} text)
  file(RELATIVE_PATH shown ${ROOT} ${path})
  get_filename_component(folder ${path} DIRECTORY)
  get_filename_component(algorithm ${folder} NAME)
  string(REGEX MATCHALL " @ [A-Za-z0-9_./-]+" bindings "${text}")
  string(REPLACE " @ " "" bindings "${bindings}")
  foreach(name IN LISTS bindings)
    if(NOT name IN_LIST names)
      message(FATAL_ERROR "${shown}: there is no source region ${name}")
    endif()
  endforeach()
  foreach(name of IN ZIP_LISTS names folders)
    if(of STREQUAL folder AND NOT name IN_LIST bindings)
      message(FATAL_ERROR "${shown}: no line names the source region ${name}")
    endif()
  endforeach()
  string(APPEND texts "    {\"${algorithm}\", R\"kdscope(${text})kdscope\"},\n")
endforeach()

file(WRITE ${PSEUDOCODE} "// Generated from the pseudo-code in algorithms/builders/.
#include \"app/pseudocode/pseudocode.hpp\"

#include <iterator>

namespace kdscope {
namespace {

constexpr PseudocodeFile texts[] = {
${texts}    {\"\", \"\"}};

}  // namespace

std::span<const PseudocodeFile> pseudocode_files() { return {texts, std::size(texts) - 1}; }

}  // namespace kdscope
")
