/// What the machine says about its own clock.
package struct ClockEvidence: Hashable, Sendable {
    /// Seconds since 1970-01-01 UTC.
    package var now: Int64
    /// Nil where the system does not say it.
    package var kernel: KernelClock?

    package init(now: Int64, kernel: KernelClock?) {
        self.now = now
        self.kernel = kernel
    }

    /// Before this program was written no clock can be right: 2026-01-01.
    package static let earliest: Int64 = 1_767_225_600
    /// A key of today will hardly be used then: 2056-01-01.
    package static let latest: Int64 = 2_713_910_400
}

/// What adjtimex(2) or ntp_adjtime(2) says.
package struct KernelClock: Hashable, Sendable {
    /// Whether a time service keeps the clock synchronized, by the kernel's flag.
    package var isSynchronized: Bool
    /// The kernel's bound of the error, in microseconds. It grows while nothing corrects the clock.
    package var maximumError: Int64

    package init(isSynchronized: Bool, maximumError: Int64) {
        self.isSynchronized = isSynchronized
        self.maximumError = maximumError
    }
}

/// The answer of an HTTPS server that is not the gateway, for its `Date`.
package struct DateEvidence: Hashable, Sendable {
    package enum Answer: Hashable, Sendable {
        /// Seconds since 1970-01-01 UTC by the server, and by this machine in the middle between request and answer.
        ///
        /// - Parameter uncertainty: Half of the time between request and answer, in seconds, and the second that `Date` is
        ///   rounded to.
        case date(server: Int64, machine: Int64, uncertainty: Int64)
        /// The certificate of the server is valid, but not at the time of this machine.
        case certificateOutOfTime(String)
    }

    package var host: String
    package var answer: Answer

    package init(host: String, answer: Answer) {
        self.host = host
        self.answer = answer
    }
}
