/// What a device has had of its budget: the period slides, so that each delivery is free again one period after it.
package struct BudgetUse: Hashable, Sendable, Codable {
    /// Of the last deliveries that counted, oldest first. Milliseconds since 1970.
    package private(set) var times: [Int64] = []

    /// When the next may be delivered; nil for at once.
    func nextFree(_ budget: DeliveryBudget, at now: Int64) -> Int64? {
        let recent = recent(budget, at: now)
        guard recent.count >= budget.count else { return nil }
        return recent[recent.count - budget.count] + budget.period
    }

    mutating func spend(_ budget: DeliveryBudget, at now: Int64) {
        times = recent(budget, at: now).suffix(budget.count - 1) + [now]
    }

    /// A clock that was set back leaves times in the future, which do not count.
    private func recent(_ budget: DeliveryBudget, at now: Int64) -> [Int64] {
        times.filter { now - budget.period < $0 && $0 <= now }
    }
}
