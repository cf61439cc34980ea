/// Makes calls that change files fail or kill the process. Works on Linux for code that is linked into the same executable,
/// where these functions replace those of the C library.
#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdbool.h>

/// What happens to calls for files whose path starts with the prefix.
enum FaultyDiskFault {
    /// Nothing; the calls are counted.
    FaultyDiskNone,
    /// Writes fail with EIO from the given number on.
    FaultyDiskWrite,
    /// Syncs fail with EIO from the given number on.
    FaultyDiskSync,
    /// The process is killed instead of the given call.
    FaultyDiskKill,
    /// If the given call is a write, the process is killed after half of it.
    FaultyDiskTear
};

/// - Parameters:
///   - prefix: The start of an absolute path. The pointer has to stay valid.
///   - number: The number of the first affected call, from 1.
void FaultyDisk_arm(const char *prefix, enum FaultyDiskFault fault, long number);

/// The number of calls since `FaultyDisk_arm`: all, or those of the kind that fails.
long FaultyDisk_calls(void);

#endif
