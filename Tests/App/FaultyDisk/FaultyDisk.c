#ifdef __linux__
#define _GNU_SOURCE
#endif

#include "FaultyDisk.h"

#include <stdatomic.h>

static const char *prefix;
static enum FaultyDiskFault fault;
static long number;
static atomic_long calls;

void FaultyDisk_arm(const char *path, enum FaultyDiskFault what, long first) {
    prefix = path;
    fault = what;
    number = first;
    calls = 0;
}

long FaultyDisk_calls(void) { return calls; }

#ifdef __linux__

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum Kind { isWrite, isSync, isOther };

/// Whether the call may be made; otherwise it fails with EIO. May end the process. Sets `half` for a write of which only half
/// is to be done.
static bool may_pass(const char *path, enum Kind kind, bool *half) {
    if (prefix == NULL || path == NULL || strncmp(path, prefix, strlen(prefix)) != 0) return true;
    if (fault == FaultyDiskWrite && kind != isWrite) return true;
    if (fault == FaultyDiskSync && kind != isSync) return true;
    long call = atomic_fetch_add(&calls, 1) + 1;
    switch (fault) {
    case FaultyDiskNone: return true;
    case FaultyDiskWrite:
    case FaultyDiskSync:
        if (call < number) return true;
        errno = EIO;
        return false;
    case FaultyDiskTear:
        if (call == number && half != NULL) *half = true;
        return true;
    case FaultyDiskKill:
        if (call == number) kill(getpid(), SIGKILL);
        return true;
    }
    return true;
}

static bool may_pass_file(int file, enum Kind kind, bool *half) {
    if (prefix == NULL) return true;
    char link[64], path[4096];
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return true;
    path[length] = 0;
    return may_pass(path, kind, half);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static ssize_t torn(ssize_t done) {
    kill(getpid(), SIGKILL);
    return done;
}

ssize_t write(int file, const void *bytes, size_t count) {
    bool half = false;
    if (!may_pass_file(file, isWrite, &half)) return -1;
    return half ? torn(NEXT(write)(file, bytes, count / 2)) : NEXT(write)(file, bytes, count);
}

ssize_t pwrite(int file, const void *bytes, size_t count, off_t offset) {
    bool half = false;
    if (!may_pass_file(file, isWrite, &half)) return -1;
    return half ? torn(NEXT(pwrite)(file, bytes, count / 2, offset)) : NEXT(pwrite)(file, bytes, count, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t count, off64_t offset) {
    bool half = false;
    if (!may_pass_file(file, isWrite, &half)) return -1;
    return half ? torn(NEXT(pwrite64)(file, bytes, count / 2, offset)) : NEXT(pwrite64)(file, bytes, count, offset);
}

int ftruncate(int file, off_t length) {
    return may_pass_file(file, isWrite, NULL) ? NEXT(ftruncate)(file, length) : -1;
}

int ftruncate64(int file, off64_t length) {
    return may_pass_file(file, isWrite, NULL) ? NEXT(ftruncate64)(file, length) : -1;
}

int fsync(int file) { return may_pass_file(file, isSync, NULL) ? NEXT(fsync)(file) : -1; }

int fdatasync(int file) { return may_pass_file(file, isSync, NULL) ? NEXT(fdatasync)(file) : -1; }

int rename(const char *old, const char *new) { return may_pass(old, isOther, NULL) ? NEXT(rename)(old, new) : -1; }

int unlink(const char *path) { return may_pass(path, isOther, NULL) ? NEXT(unlink)(path) : -1; }

#endif
