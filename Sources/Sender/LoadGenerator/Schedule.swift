import APNSModel

/// When each notification of a load run is due, counted from the run's start.
///
/// With a rate the run is open loop: the due times stand before anything is sent, and a gateway that stops for a while
/// does not stop them. Latency from the due time therefore holds all that a caller would have waited, also while the
/// sender was held up (no coordinated omission).
package struct Schedule: Sendable {
    /// What ends the run. Neither counts the warm-up.
    package enum Limit: Hashable, Sendable {
        case count(Int)
        case duration(Duration)
    }

    package struct Slot: Hashable, Sendable {
        /// From 0, with the warm-up.
        package let index: Int
        /// Since the start; nil where it is due as soon as it can be sent.
        package let due: Duration?
    }

    private let rate: Double?
    private let limit: Limit
    private let warmUp: Int
    private var nextIndex = 0
    /// When the first notification behind the warm-up was handed out.
    private var measuredSince: Duration?

    /// - Parameters:
    ///   - rate: Notifications a second; nil is as fast as possible.
    ///   - warmUp: How many come before those that are measured.
    package init(rate: Double?, limit: Limit, warmUp: Int) {
        self.rate = rate
        self.limit = limit
        self.warmUp = warmUp
    }

    /// The next notification; nil at the end.
    ///
    /// - Parameter elapsed: Since the start; asked only where it counts.
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

    /// When notification `index` is due, since the start; nil without a rate.
    package func due(_ index: Int) -> Duration? {
        rate.map { .nanoseconds(Int64((Double(index) * 1e9 / $0).rounded())) }
    }

    /// How many notifications the run has, with the warm-up; nil where only time tells.
    package var total: Int? {
        switch (limit, rate) {
        case (.count(let count), _): warmUp + count
        case (.duration(let duration), let rate?):
            warmUp + Int((Double(duration.wholeNanoseconds) / 1e9 * rate).rounded(.up))
        case (.duration, nil): nil
        }
    }
}
