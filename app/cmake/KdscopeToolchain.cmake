# Finds the dependencies of the back ends and of trace files, reports what is missing and what that costs, and defines
# kdscope_library(), which every folder uses to declare its library.

set(KDSCOPE_STATUS "")  # what is missing and what that costs, printed once at the end of configuring

# ---- CUDA -----------------------------------------------------------------------------------------------------------
set(KDSCOPE_HAS_CUDA OFF)
if(KDSCOPE_CUDA)
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(KDSCOPE_NVCC nvcc HINTS /usr/local/cuda/bin /opt/cuda/bin)
    if(KDSCOPE_NVCC)
      set(CMAKE_CUDA_COMPILER ${KDSCOPE_NVCC})
    endif()
  endif()
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    # The machine's own GPUs. Without one, nothing can run here, so the oldest supported architecture will do; drivers
    # compile its PTX for later ones. Five architectures would take three times as long.
    set(architectures 75)
    find_program(KDSCOPE_NVIDIA_SMI nvidia-smi)
    if(KDSCOPE_NVIDIA_SMI)
      execute_process(COMMAND ${KDSCOPE_NVIDIA_SMI} -L OUTPUT_VARIABLE gpus ERROR_QUIET)
      if(gpus MATCHES "^GPU ")
        set(architectures native)
      endif()
    endif()
    set(CMAKE_CUDA_ARCHITECTURES ${architectures} CACHE STRING "CUDA architectures")
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # CMake 3.25 does not know that nvcc 13 supports C++20.
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    set(CMAKE_CUDA_STANDARD 20)
    # Compile the host code of CUDA units with -O2: it only launches kernels. Those are optimised by an option of their
    # own, -Xptxas.
    string(REPLACE "-O3" "-O2" CMAKE_CUDA_FLAGS_RELEASE "${CMAKE_CUDA_FLAGS_RELEASE}")
    # CMake 3.25 sets a property of this library, which CUDA 13 no longer has.
    add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
    find_package(CUDAToolkit REQUIRED)
    set(KDSCOPE_HAS_CUDA ON)
  endif()
endif()

# ---- Thrust: the toolkit's CCCL, or Debian's libthrust-dev for the CPU back end alone --------------------------------
set(CCCL_ENABLE_DEFAULT_THRUST_TARGET OFF)
if(EMSCRIPTEN)
  # visualizer/web/engine/build.sh copies Thrust's headers to a folder of their own, because /usr/include has those of
  # another standard library.
  add_library(kdscope_thrust_host INTERFACE)
  target_include_directories(kdscope_thrust_host SYSTEM INTERFACE ${KDSCOPE_THRUST_HEADERS})
  target_compile_definitions(kdscope_thrust_host INTERFACE THRUST_HOST_SYSTEM=THRUST_HOST_SYSTEM_CPP
    THRUST_DEVICE_SYSTEM=THRUST_DEVICE_SYSTEM_CPP)
else()
  # A toolkit's CCCL serves builds without the CUDA back end too.
  find_package(CCCL CONFIG QUIET HINTS ${CUDAToolkit_LIBRARY_ROOT}/lib64/cmake ${CUDAToolkit_TARGET_DIR}/lib64/cmake
               ${CUDAToolkit_LIBRARY_DIR}/cmake ${KDSCOPE_TOOLKIT}/lib64/cmake /usr/local/cuda/lib64/cmake)
  if(NOT CCCL_FOUND)
    find_package(Thrust 1.17 CONFIG REQUIRED)
  endif()
  thrust_create_target(kdscope_thrust_host HOST CPP DEVICE CPP)
endif()

# ---- CPU threads: oneTBB, else OpenMP, else serial -------------------------------------------------------------------
find_package(TBB CONFIG QUIET)
if(TBB_FOUND)
  set(KDSCOPE_CPU_POLICY tbb)
else()
  find_package(OpenMP QUIET COMPONENTS CXX)
  if(OpenMP_CXX_FOUND)
    set(KDSCOPE_CPU_POLICY omp)
    list(APPEND KDSCOPE_STATUS "oneTBB not found: the CPU back end runs on Thrust's OpenMP policy")
  else()
    set(KDSCOPE_CPU_POLICY cpp)
    list(APPEND KDSCOPE_STATUS "oneTBB and OpenMP not found: the CPU back end runs on one thread")
  endif()
endif()
find_package(Threads REQUIRED)

# ---- HDF5 for trace files --------------------------------------------------------------------------------------------
find_package(HDF5 QUIET COMPONENTS C)
if(HDF5_FOUND)
  add_library(kdscope_hdf5 INTERFACE)
  target_include_directories(kdscope_hdf5 SYSTEM INTERFACE ${HDF5_INCLUDE_DIRS})
  target_link_libraries(kdscope_hdf5 INTERFACE ${HDF5_C_LIBRARIES})
else()
  list(APPEND KDSCOPE_STATUS "HDF5 not found: trace files are off")
endif()

# ---- MPI for builds by several ranks --------------------------------------------------------------------------------
option(KDSCOPE_MPI "Build the program that mpirun starts, where MPI is installed" ON)
set(KDSCOPE_HAS_MPI OFF)
if(KDSCOPE_MPI AND NOT EMSCRIPTEN AND NOT KDSCOPE_SANITIZE)
  find_package(MPI QUIET COMPONENTS C)
  set(KDSCOPE_HAS_MPI ${MPI_C_FOUND})
  if(NOT MPI_C_FOUND)
    list(APPEND KDSCOPE_STATUS "MPI not found (Debian: libopenmpi-dev openmpi-bin): builds by several ranks are off")
  endif()
endif()

# ---- Flags ----------------------------------------------------------------------------------------------------------
add_library(kdscope_flags INTERFACE)
# GCC 12 reports -Wrestrict inside std::string (its bug 105651). In sources that are compiled together it reports
# -Wsubobject-linkage for classes of one source, as if they were in a header.
# Trees must be bit-identical on CPU and GPU: no fused multiply-add on either. nvcc's warning 186, of comparisons with a
# constant 0, means those of template arguments: kernels of rank count level 0, too.
target_compile_options(kdscope_flags INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Werror=return-type>
  $<$<COMPILE_LANGUAGE:CXX>:$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-subobject-linkage>;-ffp-contract=off>
  $<$<COMPILE_LANGUAGE:CUDA>:-fmad=false;--expt-relaxed-constexpr;--extended-lambda;-diag-suppress=186>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra,-ffp-contract=off>)
target_include_directories(kdscope_flags INTERFACE ${PROJECT_SOURCE_DIR} ${PROJECT_BINARY_DIR}/generated)
target_compile_definitions(kdscope_flags INTERFACE KDSCOPE_VERSION="${PROJECT_VERSION}"
  $<$<BOOL:${KDSCOPE_HAS_CUDA}>:KDSCOPE_HAS_CUDA>)
if(KDSCOPE_SANITIZE)
  # Thrust forms null references to empty ranges, which UBSan's null check would report.
  # UBSan's vptr check opens a pipe, which the process that reads a trace file is not permitted to do.
  set(KDSCOPE_SANITIZE_FLAGS -fsanitize=${KDSCOPE_SANITIZE} -fno-omit-frame-pointer)
  if(KDSCOPE_SANITIZE MATCHES undefined)
    list(APPEND KDSCOPE_SANITIZE_FLAGS -fno-sanitize=null,vptr -fno-sanitize-recover=undefined)
  endif()
  target_compile_options(kdscope_flags INTERFACE $<$<COMPILE_LANGUAGE:CXX>:${KDSCOPE_SANITIZE_FLAGS}>)
  target_link_options(kdscope_flags INTERFACE -fsanitize=${KDSCOPE_SANITIZE})
endif()

# ---- What a build costs ---------------------------------------------------------------------------------------------
# Tools that shorten a build, where they are installed.
find_program(KDSCOPE_CCACHE ccache)
if(KDSCOPE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${KDSCOPE_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${KDSCOPE_CCACHE})
endif()
find_program(KDSCOPE_LINKER NAMES mold ld.lld)
if(KDSCOPE_LINKER MATCHES "mold$" AND CMAKE_CXX_COMPILER_ID STREQUAL GNU AND
   CMAKE_CXX_COMPILER_VERSION VERSION_GREATER 12)
  add_link_options($<$<LINK_LANGUAGE:CXX>:-fuse-ld=mold>)
elseif(KDSCOPE_LINKER MATCHES "lld$")
  add_link_options($<$<LINK_LANGUAGE:CXX>:-fuse-ld=lld>)
endif()

# kdscope_compile_together(TARGET): compiles the sources of a folder in few units (CMake's unity builds), which takes a
# third of the time, because a unit spends most of it on headers. The local names of a folder's sources must differ;
# tests/local_names_test.sh checks that. The presets with sanitizers compile each source alone, so that a source that
# lacks an include fails there.
option(KDSCOPE_UNITY "Compile the sources of a folder together" ON)
function(kdscope_compile_together target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${KDSCOPE_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# kdscope_compile_alone(SOURCE...): excepts sources of this folder. Units with kernels are large enough by themselves.
function(kdscope_compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# kdscope_compile_quickly(TARGET...): compiles with -O1, which takes two thirds of the time of -O3. For code that is not
# measured.
function(kdscope_compile_quickly)
  foreach(target IN LISTS ARGN)
    target_compile_options(${target} PRIVATE $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release>>:-O1>)
  endforeach()
endfunction()

# kdscope_optional_library(TARGET NAME HEADER LIBRARY WITHOUT): links TARGET with a library of the system and defines
# KDSCOPE_HAS_NAME for its sources, if header and library are found. WITHOUT says what happens if they are not.
function(kdscope_optional_library target name header library without)
  find_path(KDSCOPE_${name}_HEADERS ${header})
  find_library(KDSCOPE_${name} ${library})
  if(KDSCOPE_${name}_HEADERS AND KDSCOPE_${name})
    target_include_directories(${target} SYSTEM PRIVATE ${KDSCOPE_${name}_HEADERS})
    target_link_libraries(${target} PRIVATE ${KDSCOPE_${name}})
    target_compile_definitions(${target} PRIVATE KDSCOPE_HAS_${name})
  else()
    string(TOLOWER ${name} spoken)
    message(STATUS "kdscope: ${spoken} not found: ${without}")
  endif()
endfunction()

# kdscope_library(NAME [QUICK] [SOURCES ...] [LIBRARIES ...] [HEADERS_IN SUBFOLDER] [PRIVATE_HEADERS ...]) declares the
# library of a folder. Without sources it is header-only. Every header (*.hpp) has to compile alone; the target
# all_verify_interface_header_sets checks that. QUICK: kdscope_compile_quickly().
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ${KDSCOPE_TESTS})
function(kdscope_library name)
  cmake_parse_arguments(LIB "QUICK" "HEADERS_IN" "SOURCES;LIBRARIES;PRIVATE_HEADERS" ${ARGN})
  cmake_path(APPEND CMAKE_CURRENT_SOURCE_DIR "${LIB_HEADERS_IN}" *.hpp OUTPUT_VARIABLE pattern)
  cmake_path(NORMAL_PATH pattern)
  file(GLOB headers CONFIGURE_DEPENDS ${pattern})
  foreach(private IN LISTS LIB_PRIVATE_HEADERS)
    list(FILTER headers EXCLUDE REGEX "/${private}$")
  endforeach()
  if(LIB_SOURCES)
    add_library(${name} STATIC ${LIB_SOURCES})
    if(NOT name MATCHES "_cuda$")  # kernels
      kdscope_compile_together(${name})
    endif()
    if(LIB_QUICK)
      kdscope_compile_quickly(${name})
    endif()
    set(scope PUBLIC)
  else()
    add_library(${name} INTERFACE)
    set(scope INTERFACE)
  endif()
  target_link_libraries(${name} ${scope} kdscope_flags ${LIB_LIBRARIES})
  if(headers AND NOT name MATCHES "_cuda$")
    target_sources(${name} ${scope} FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR} FILES ${headers})
  endif()
endfunction()

foreach(line IN LISTS KDSCOPE_STATUS)
  message(STATUS "kdscope: ${line}")
endforeach()
message(STATUS "kdscope: CUDA back end ${KDSCOPE_HAS_CUDA}; CPU back end on Thrust/${KDSCOPE_CPU_POLICY}")
