import APNSModel

/// When each notification of a load run is due, counted from the start of the run.
///
/// With a rate the run is open loop: the due times do not depend on the gateway's answers. A latency from the due time
/// therefore includes the time that a notification waited because the gateway or the sender was slow (no coordinated
/// omission).
package struct Schedule: Sendable {
    /// What ends the run, without the warm-up.
    package enum Limit: Hashable, Sendable {
        case count(Int)
        case duration(Duration)
    }

    package struct Slot: Hashable, Sendable {
        /// From 0, the warm-up included.
        package let index: Int
        /// From the start of the run; nil means as soon as possible.
        package let due: Duration?
    }

    private let rate: Double?
    private let limit: Limit
    private let warmUp: Int
    private var nextIndex = 0
    /// When `next` returned the first notification after the warm-up.
    private var measuredSince: Duration?

    /// - Parameters:
    ///   - rate: Notifications a second; nil is as fast as possible.
    ///   - warmUp: The number of notifications before the measured ones.
    package init(rate: Double?, limit: Limit, warmUp: Int) {
        self.rate = rate
        self.limit = limit
        self.warmUp = warmUp
    }

    /// The next notification; nil at the end.
    ///
    /// - Parameter elapsed: The time from the start of the run. Evaluated only if the result depends on it.
    package mutating func next(at elapsed: @autoclosure () -> Duration) -> Slot? {
        let index = nextIndex
        let slot = Slot(index: index, due: due(index))
        switch limit {
        case .count(let count): guard index < warmUp + count else { return nil }
        case .duration(let duration):
            guard index >= warmUp else { break }
            let now = slot.due ?? elapsed()
            let since = measuredSince ?? now
            measuredSince = since
            guard now - since < duration else { return nil }
        }
        nextIndex += 1
        return slot
    }

    /// When notification `index` is due, from the start of the run; nil without a rate.
    package func due(_ index: Int) -> Duration? {
        rate.map { .nanoseconds(Int64((Double(index) * 1e9 / $0).rounded())) }
    }

    /// How many notifications the run has, the warm-up included; nil for a duration without a rate.
    package var total: Int? {
        switch (limit, rate) {
        case (.count(let count), _): warmUp + count
        case (.duration(let duration), let rate?):
            warmUp + Int((Double(duration.wholeNanoseconds) / 1e9 * rate).rounded(.up))
        case (.duration, nil): nil
        }
    }
}
