package import APNSModel

/// How long to wait before the next attempt: the wait doubles with each failure in a row, up to the longest one.
package struct BackOff: Hashable, Sendable {
    private let first: Duration
    private let longest: Duration
    package private(set) var failures = 0
    /// No attempt before this time.
    package private(set) var earliest = MonotonicTime.zero

    package init(first: Duration, longest: Duration) {
        self.first = first
        self.longest = longest
    }

    /// - Parameter random: From 0 up to 1. Up to half of the wait is taken off by it, so that many clients do not come
    ///   back at once.
    package mutating func failed(at now: MonotonicTime, random: Double) {
        failures += 1
        var wait = first
        for _ in 1..<max(min(failures, 32), 1) where wait < longest { wait *= 2 }
        wait = min(wait, longest)
        earliest = now + (wait - wait * random / 2)
    }

    package mutating func succeeded() {
        failures = 0
        earliest = .zero
    }
}
