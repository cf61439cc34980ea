// Declarations of Darwin, as far as the libraries need them and Glibc lacks them. The others are Glibc's, which has the
// functions and constants of POSIX under the same names. A difference of their types is not noticed here.
//
// Seen in:
// [a] palera1n/BridgeOS.sdk, usr/include/time.h
// [b] apple-oss-distributions/xnu, bsd/sys/fcntl.h
@_exported public import Glibc

// [a] A constant of an enumeration, whose name is clockid_t; in Glibc clockid_t is a number.
public let CLOCK_UPTIME_RAW: clockid_t = 8

// [b] A macro for a number.
public let F_FULLFSYNC: Int32 = 51
