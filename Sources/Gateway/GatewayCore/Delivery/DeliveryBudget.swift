/// How many pushes the system delivers to an app within a period.
package struct DeliveryBudget: Hashable, Sendable, Codable {
    /// 1 to `maximumCount`.
    package let count: Int
    /// Milliseconds, 1 to `maximumPeriod`.
    package let period: Int64

    package static let maximumCount = 1000
    /// 30 days: nothing is stored for longer.
    package static let maximumPeriod: Int64 = 30 * 86_400_000

    /// Fails for numbers out of range.
    package init?(count: Int, period: Int64) {
        guard (1...DeliveryBudget.maximumCount).contains(count), (1...DeliveryBudget.maximumPeriod).contains(period)
        else { return nil }
        self.count = count
        self.period = period
    }
}
