/// Steady arrivals, and a gateway that fails for a while.
package struct BacklogPlan: Hashable, Sendable {
    package enum Fault: String, Hashable, Sendable, CaseIterable {
        /// No connection can be opened, and those that were open are lost.
        case unreachable
        /// Each push is answered with 503.
        case unavailable = "503"
    }

    package var fault: Fault
    /// Pushes a second.
    package var arrivals = 60
    /// How many pushes a second all workers together send at most, as `--rate` says.
    package var capacity = 120
    package var workers = 2
    /// The part of the pushes that arrives in the lane `high`; the others arrive in `normal`.
    package var highPercent = 10
    /// How many seconds the gateway serves before it fails.
    package var secondsBefore = 60
    /// How many seconds it fails.
    package var outageSeconds = 600
    /// How many minutes a row of the report is about.
    package var minutesPerRow = 1
    package var seed: UInt64 = 1

    package init(_ fault: Fault) { self.fault = fault }

    /// When the gateway fails and when it is back, in milliseconds since the start.
    var failure: Int64 { Int64(secondsBefore) * 1000 }
    var recovery: Int64 { Int64(secondsBefore + outageSeconds) * 1000 }
}
