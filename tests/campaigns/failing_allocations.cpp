// Preloaded into a program, this library makes allocations fail from main() on: FAIL_AT=N fails only the N-th,
// FAIL_FROM=N all from the N-th on. FAIL_SIZE=B counts only allocations of at least B bytes. FAIL_THREAD=main or job
// counts only those of the main thread or of the window's background jobs. Allocations before main() are not the
// program's own and do not count. A program may set the same options through kdscope_fail_allocations().
#include <dlfcn.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>

extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
}

namespace {

std::atomic<bool> armed{false};
std::atomic<long> seen{0};
long at = -1, from = -1, least = 0;
char thread = 'a';  // 'm'ain, 'j'obs, 'a'll

long setting(const char* name, long otherwise) {
  const char* text = std::getenv(name);
  return text ? std::atol(text) : otherwise;
}

/// Returns whether this thread's allocations count. Asks the system at each allocation, because thread-local storage
/// may itself allocate.
bool thread_counts() {
  if (thread == 'm') return ::gettid() == ::getpid();
  if (thread != 'j') return true;
  char name[16] = "";
  ::prctl(PR_GET_NAME, name);
  return std::strcmp(name, "kdscope-job") == 0;  // oneTBB's workers inherit the name from the job that starts them
}

bool fails(std::size_t bytes) {
  if (!armed || static_cast<long>(bytes) < least || !thread_counts()) return false;
  const long n = ++seen;
  if (n != at && (from < 0 || n < from)) return false;
  errno = ENOMEM;
  return true;
}

using Main = int (*)(int, char**, char**);
Main main_of_program;

int armed_main(int count, char** arguments, char** environment) {
  at = setting("FAIL_AT", -1), from = setting("FAIL_FROM", -1), least = setting("FAIL_SIZE", 0);
  if (const char* which = std::getenv("FAIL_THREAD")) thread = *which;
  armed = at >= 0 || from >= 0;
  return main_of_program(count, arguments, environment);
}

}  // namespace

extern "C" {
void* malloc(std::size_t bytes) { return fails(bytes) ? nullptr : __libc_malloc(bytes); }
void* calloc(std::size_t n, std::size_t bytes) { return fails(n * bytes) ? nullptr : __libc_calloc(n, bytes); }
void* realloc(void* old, std::size_t bytes) { return fails(bytes) ? nullptr : __libc_realloc(old, bytes); }
void* memalign(std::size_t alignment, std::size_t bytes) {
  return fails(bytes) ? nullptr : __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) { return memalign(alignment, bytes); }
int posix_memalign(void** result, std::size_t alignment, std::size_t bytes) {
  void* const found = memalign(alignment, bytes);
  if (found) *result = found;
  return found ? 0 : ENOMEM;
}

/// Counts from now on allocations of `which` thread ('m'ain, 'j'obs, 'a'll) of at least `smallest` bytes. With n > 0,
/// the n-th fails and, with `and_later`, all after it. With n = 0, allocations are only counted; with n < 0, not even
/// that. Returns the number counted before the call.
long kdscope_fail_allocations(long n, bool and_later, long smallest, char which) {
  armed = false;
  at = n > 0 ? n : -1, from = n > 0 && and_later ? n : -1, least = smallest, thread = which;
  const long before = seen.exchange(0);
  armed = n >= 0;
  return before;
}

int __libc_start_main(Main program, int count, char** arguments, void (*begin)(), void (*end)(), void (*linker)(),
                      void* stack) {
  main_of_program = program;
  const auto next = reinterpret_cast<decltype(&__libc_start_main)>(dlsym(RTLD_NEXT, "__libc_start_main"));
  return next(armed_main, count, arguments, begin, end, linker, stack);
}
}
