# Debian packages and a relocatable archive, of a finished build:
#   (cd build/cpu-only && cpack)
# kdscope-tools has all that needs neither Qt nor VTK: the command line, the runner, lessons, and the kit for variants.
# kdscope has the window; libkdscope0 is the C++ library, libkdscope-dev what programs compile with, and python3-kdscope
# the Python module. tests/packages.sh makes all of them, and tries them on a bare system.

set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_CONTACT "The kdscope developers <kdscope@example.org>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Workbench for studying parallel construction of kd-trees")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE
    WORLD_READ WORLD_EXECUTE)

set(CPACK_COMPONENTS_ALL tools lessons kit window library development python ranks)
set(CPACK_COMPONENT_TOOLS_GROUP tools)
set(CPACK_COMPONENT_LESSONS_GROUP tools)
set(CPACK_COMPONENT_KIT_GROUP tools)
set(CPACK_COMPONENT_WINDOW_GROUP window)
set(CPACK_COMPONENT_LIBRARY_GROUP library)
set(CPACK_COMPONENT_DEVELOPMENT_GROUP development)
set(CPACK_COMPONENT_PYTHON_GROUP python)
set(CPACK_COMPONENT_RANKS_GROUP ranks)
if(NOT TARGET kdscope)
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL window)
endif()
if(NOT TARGET kdscope_python)
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL python)
endif()
if(NOT TARGET kdscope-ranks)
  list(REMOVE_ITEM CPACK_COMPONENTS_ALL ranks)
endif()

set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
# Packages of a build with CUDA have names of their own, and take the place of those without: kdscope-tools-cuda. Its
# runtime is linked statically, so they need a driver alone, and run without one, too.
set(flavour "")
if(KDSCOPE_HAS_CUDA)
  set(flavour -cuda)
  set(CPACK_PACKAGE_FILE_NAME kdscope-${PROJECT_VERSION}-${CMAKE_SYSTEM_NAME}${flavour})
endif()
# kdscope_package(COMPONENT NAME): names the package of a component.
function(kdscope_package component name)
  set(CPACK_DEBIAN_${component}_PACKAGE_NAME ${name}${flavour} PARENT_SCOPE)
  if(flavour)
    set(CPACK_DEBIAN_${component}_PACKAGE_PROVIDES "${name} (= ${PROJECT_VERSION})" PARENT_SCOPE)
    set(CPACK_DEBIAN_${component}_PACKAGE_CONFLICTS ${name} PARENT_SCOPE)
    set(CPACK_DEBIAN_${component}_PACKAGE_REPLACES ${name} PARENT_SCOPE)
  endif()
endfunction()
kdscope_package(TOOLS kdscope-tools)
kdscope_package(WINDOW kdscope)
kdscope_package(LIBRARY libkdscope${PROJECT_VERSION_MAJOR})
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS g++)  # compiles variants
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "libthrust-dev, libtbb-dev, openssh-client, chromium")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SECTION science)
set(CPACK_DEBIAN_WINDOW_PACKAGE_DEPENDS "kdscope-tools (= ${PROJECT_VERSION}), qt6-qpa-plugins, libgl1-mesa-dri")
set(CPACK_DEBIAN_WINDOW_PACKAGE_RECOMMENDS "fonts-open-sans")
set(CPACK_DEBIAN_WINDOW_PACKAGE_SUGGESTS ffmpeg)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libkdscope-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libkdscope${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "cmake, g++")
# The loader's list of libraries is made anew, and packages of programs that link the library depend on it.
set(control ${PROJECT_BINARY_DIR}/library-control)
file(CONFIGURE OUTPUT ${control}/triggers CONTENT "activate-noawait ldconfig\n")
file(CONFIGURE OUTPUT ${control}/shlibs CONTENT "libkdscope ${PROJECT_VERSION_MAJOR} \
libkdscope${PROJECT_VERSION_MAJOR} (= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA ${control}/triggers ${control}/shlibs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "Programs that link this library build kd-trees of their points on all cores or
on a CUDA GPU, search them, and record constructions step by step.")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "The headers, the CMake package and the examples of the C++ library of kdscope:
points in, tree out, searches, recorded constructions.")
# The compiled part is for one version of Python.
kdscope_package(PYTHON python3-kdscope)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS ${KDSCOPE_PYTHON_DEPENDS})
set(CPACK_DEBIAN_PYTHON_PACKAGE_RECOMMENDS kdscope-tools)  # compiles variants
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-scipy, python3-ipykernel")
set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/app/python/debian/postinst
    ${PROJECT_SOURCE_DIR}/app/python/debian/prerm)
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "KDTree has the interface of scipy.spatial.KDTree and takes half of its time.
record() keeps every step of a construction as arrays of numpy, and a notebook
shows it as an interactive page.")
# Apart from the tools, which would need Open MPI otherwise.
kdscope_package(RANKS kdscope-ranks)
set(CPACK_DEBIAN_RANKS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_RANKS_PACKAGE_DEPENDS "kdscope-tools (= ${PROJECT_VERSION}), openmpi-bin")
set(CPACK_DEBIAN_RANKS_DESCRIPTION "Under mpirun, kdscope-cli builds one tree in several processes, also on several
machines. Each has a share of the points and of the tree.")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "kdscope-cli builds, records, verifies, measures and searches kd-trees, prints
every step of a construction, and exports lessons as web pages. It needs
neither a display nor a GPU.")
set(CPACK_DEBIAN_WINDOW_DESCRIPTION "The window runs published construction algorithms step by step and shows the
arrays, the tree and the partition of space after each step, with lessons,
questions, presentations and a debugger for variants of the algorithms.")

# Man pages, and completion of commands and options in bash, made from what the programs print.
set(made ${PROJECT_BINARY_DIR}/documents)
set(script ${PROJECT_SOURCE_DIR}/app/desktop/documents.sh)
# kdscope_documents(PROGRAM COMPONENT)
function(kdscope_documents program component)
  add_custom_command(OUTPUT ${made}/${program}.1.gz VERBATIM
    COMMAND sh ${script} $<TARGET_FILE:${program}> ${made}
    DEPENDS ${program} ${script} ${PROJECT_SOURCE_DIR}/app/CHANGES.md)
  add_custom_target(${program}-documents ALL DEPENDS ${made}/${program}.1.gz)
  install(FILES ${made}/${program}.1.gz DESTINATION share/man/man1 COMPONENT ${component} OPTIONAL)
  install(FILES ${made}/${program}.bash DESTINATION share/bash-completion/completions RENAME ${program}
    COMPONENT ${component} OPTIONAL)
endfunction()
kdscope_documents(kdscope-cli tools)
kdscope_documents(kdscope-runner tools)
if(TARGET kdscope)
  kdscope_documents(kdscope window)
endif()
if(TARGET kdscope-ranks)
  kdscope_documents(kdscope-ranks ranks)
endif()

foreach(component TOOLS WINDOW LIBRARY DEVELOPMENT PYTHON RANKS)
  set(package ${CPACK_DEBIAN_${component}_PACKAGE_NAME})
  string(TOLOWER ${component} name)
  install(FILES ${PROJECT_SOURCE_DIR}/app/desktop/copyright DESTINATION share/doc/${package} COMPONENT ${name})
  install(FILES ${made}/changelog.gz DESTINATION share/doc/${package} COMPONENT ${name} OPTIONAL)
endforeach()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/algorithms/library/examples DESTINATION share/doc/libkdscope-dev
  COMPONENT development)

include(CPack)
cpack_add_component_group(tools)
cpack_add_component_group(window)
cpack_add_component_group(library)
cpack_add_component_group(development)
cpack_add_component_group(python)
