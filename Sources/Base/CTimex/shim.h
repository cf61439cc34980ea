#pragma once
// The kernel's view of the machine's clock: sys/timex.h, which Swift's modules of the system leave out.
#include <stdint.h>
#include <string.h>
#include <sys/timex.h>

// Reads it, and changes nothing.
//
// - synchronized: 1 where a time service keeps the clock, otherwise 0.
// - maximumError: the kernel's bound of the error, in microseconds.
//
// Returns 0, or -1 where the system does not say it.
static inline int CTimex_read(int *synchronized, int64_t *maximumError) {
    struct timex facts;
    int state;
    memset(&facts, 0, sizeof facts);
#ifdef __APPLE__
    state = ntp_adjtime(&facts);
#else
    state = adjtimex(&facts);
#endif
    if (state < 0) { return -1; }
    *synchronized = state != TIME_ERROR && (facts.status & STA_UNSYNC) == 0;
    *maximumError = facts.maxerror;
    return 0;
}
