package import APNSModel
internal import NIOCore

extension MonotonicTime {
    /// The time on the machine's monotonic clock, which is also NIO's.
    package static var now: MonotonicTime {
        MonotonicTime(nanoseconds: Int64(NIODeadline.now().uptimeNanoseconds))
    }
}
