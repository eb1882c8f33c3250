# shellcheck shell=bash
# Sourced by tests/run.sh and tests/campaign.sh, which set $root: how the sanitizers look at the tests.

# Some tests ask for more memory than there is, and expect to be told.
export ASAN_OPTIONS="allocator_may_return_null=1 ${ASAN_OPTIONS:-}"
export LSAN_OPTIONS="suppressions=$root/tests/support/lsan.supp print_suppressions=0 ${LSAN_OPTIONS:-}"
# Thrust frees its scratch inside oneTBB tasks, which the sanitizer mistakes for signal handlers. Suppressed reports, of
# which uninstrumented oneTBB gives many, must not be kept by address: the list is searched at each one, for minutes.
# They are known by the stacks of oneTBB's workers, which a short history loses.
export TSAN_OPTIONS="report_signal_unsafe=0 suppress_equal_addresses=0 history_size=7 allocator_may_return_null=1 \
suppressions=$root/tests/support/tsan.supp ${TSAN_OPTIONS:-}"
export UBSAN_OPTIONS="print_stacktrace=1 ${UBSAN_OPTIONS:-}"
