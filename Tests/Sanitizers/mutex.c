// Announces to ThreadSanitizer the locks that it does not see.
//
// `Mutex` of Swift's Synchronization takes and leaves a lock that nobody else wants in code of its caller, which is
// instrumented. One that is contended it takes and leaves in the library, which is not: there the sanitizer sees neither, and
// reports races in guarded code. This library is preloaded, wraps the functions of the C library, and announces their calls.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *mutex
#define NAME(length, name, rest) "$s15Synchronization12_MutexHandleV" length name rest

#define LOCK NAME("9", "_lockSlow", "yys6UInt32VF")
#define TRY NAME("12", "_tryLockSlow", "SbyF")
#define UNLOCK NAME("11", "_unlockSlow", "yyF")

__attribute__((weak)) void __tsan_acquire(void *);
__attribute__((weak)) void __tsan_release(void *);

SWIFT void lock_slow(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF) __asm__(TRY);
SWIFT void unlock_slow(SELF) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF) {
    typedef SWIFT void (*Function)(uint32_t, SELF);
    ((Function)dlsym(RTLD_NEXT, LOCK))(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_lock_slow(SELF) {
    typedef SWIFT bool (*Function)(SELF);
    bool is_taken = ((Function)dlsym(RTLD_NEXT, TRY))(mutex);
    if (is_taken && __tsan_acquire) __tsan_acquire(mutex);
    return is_taken;
}

SWIFT void unlock_slow(SELF) {
    typedef SWIFT void (*Function)(SELF);
    if (__tsan_release) __tsan_release(mutex);
    ((Function)dlsym(RTLD_NEXT, UNLOCK))(mutex);
}
