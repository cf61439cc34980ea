// Tells ThreadSanitizer about the locks of Swift's `Mutex` on Linux. A lock that nobody holds is taken by an atomic operation in the
// program's own code, which is instrumented. One that is waited for is taken in the standard library, which is not, so every
// lock that two threads want at once would be reported as a data race.
//
// LD_PRELOAD puts these functions before those of libswiftSynchronization, which they call.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self

#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

static SWIFT void (*lock)(uint32_t thread, SELF);
static SWIFT bool (*try_lock)(SELF);
static SWIFT void (*unlock)(SELF);
// Null in a program without ThreadSanitizer, such as one that a test starts.
static void (*acquire)(void *address);
static void (*release)(void *address);

__attribute__((constructor)) static void find(void) {
    lock = dlsym(RTLD_NEXT, LOCK);
    try_lock = dlsym(RTLD_NEXT, TRY_LOCK);
    unlock = dlsym(RTLD_NEXT, UNLOCK);
    acquire = dlsym(RTLD_DEFAULT, "__tsan_acquire");
    release = dlsym(RTLD_DEFAULT, "__tsan_release");
}

SWIFT void apns_lock(uint32_t thread, SELF) __asm__(LOCK);
SWIFT bool apns_try_lock(SELF) __asm__(TRY_LOCK);
SWIFT void apns_unlock(SELF) __asm__(UNLOCK);

SWIFT void apns_lock(uint32_t thread, SELF) {
    lock(thread, self);
    if (acquire) acquire(self);
}

SWIFT bool apns_try_lock(SELF) {
    bool is_locked = try_lock(self);
    if (is_locked && acquire) acquire(self);
    return is_locked;
}

SWIFT void apns_unlock(SELF) {
    if (release) release(self);
    unlock(self);
}
