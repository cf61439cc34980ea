/// Calls that change files, made to fail or to end the process. Works on Linux, for what is linked into an executable
/// together with this: its functions stand before those of the C library.
#ifndef FAULTY_DISK_H
#define FAULTY_DISK_H

#include <stdbool.h>

/// What happens to the calls about files whose path begins with the prefix.
enum FaultyDiskFault {
    /// Nothing; they are counted.
    FaultyDiskNone,
    /// Writes fail with EIO from the given number on.
    FaultyDiskWrite,
    /// The same for the calls that wait until something is on the disk.
    FaultyDiskSync,
    /// The process is killed in place of the given call.
    FaultyDiskKill,
    /// The process is killed when half of the given call is done, where it is a write.
    FaultyDiskTear
};

/// - Parameters:
///   - prefix: Of an absolute path; kept, so it has to live on.
///   - number: Of the first call that the fault hits, from 1.
void FaultyDisk_arm(const char *prefix, enum FaultyDiskFault fault, long number);

/// How many calls were counted since `FaultyDisk_arm`: all, or those of the kind that fails.
long FaultyDisk_calls(void);

#endif
