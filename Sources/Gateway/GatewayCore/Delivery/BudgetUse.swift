/// How much of its budget a device has used. The period slides: each delivery stops counting one period after it.
package struct BudgetUse: Hashable, Sendable, Codable {
    /// When the last deliveries that count happened, oldest first. Milliseconds since 1970.
    package private(set) var times: [Int64] = []

    /// When the next one may be delivered; nil for now.
    func nextFree(_ budget: DeliveryBudget, at now: Int64) -> Int64? {
        let recent = recent(budget, at: now)
        guard recent.count >= budget.count else { return nil }
        return recent[recent.count - budget.count] + budget.period
    }

    mutating func spend(_ budget: DeliveryBudget, at now: Int64) {
        times = recent(budget, at: now).suffix(budget.count - 1) + [now]
    }

    /// Times in the future, from before the clock was set back, do not count.
    private func recent(_ budget: DeliveryBudget, at now: Int64) -> [Int64] {
        times.filter { now - budget.period < $0 && $0 <= now }
    }
}
