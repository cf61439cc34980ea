import APNSModel
package import GatewayCore

/// Budgets as users write and read them: `3/1h` is three per hour.
package enum BudgetText {
    package static let wanted =
        "a number from 1 to \(DeliveryBudget.maximumCount), a slash and a duration of at most 30d, such as 3/1h"

    /// The string for no limit.
    package static let unlimited = "unlimited"

    private typealias Field = any WritableKeyPath<DeliveryBudgets, DeliveryBudget?> & Sendable

    private static let fields: [(name: String, field: Field)] = [
        ("silent", \.silent), ("complication", \.complication), ("location", \.location),
        ("liveactivity", \.liveActivity), ("widgets", \.widgets), ("controls", \.controls),
    ]

    package static let names = fields.map(\.name)

    package static func budget(_ text: some StringProtocol) -> DeliveryBudget? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), !parts[0].hasPrefix("+"),
            let period = TimeText.milliseconds(ofDuration: parts[1])
        else { return nil }
        return DeliveryBudget(count: count, period: period)
    }

    package static func text(_ budget: DeliveryBudget) -> String {
        "\(budget.count)/\(TimeText.duration(budget.period))"
    }

    /// The budget setting of a device.
    package static func choice(_ text: String) -> Device.BudgetChoice? {
        switch text {
        case "default": .world
        case unlimited: .lifted
        default: budget(text).map { .own($0) }
        }
    }

    package static func text(_ choice: Device.BudgetChoice) -> String {
        switch choice {
        case .world: "default"
        case .lifted: unlimited
        case .own(let budget): text(budget)
        }
    }

    /// All budgets by their names.
    package static func texts(_ budgets: DeliveryBudgets) -> [(name: String, text: String)] {
        fields.map { name, field in (name, budgets[keyPath: field].map { text($0) } ?? unlimited) }
    }

    /// Sets one budget from `NAME=COUNT/PERIOD` or `NAME=unlimited`.
    ///
    /// - Throws: What is expected.
    package static func set(_ text: String, in budgets: inout DeliveryBudgets) throws(BudgetTextError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard names.contains(String(parts[0])) else {
            throw BudgetTextError(
                description:
                    "\(text): there is no such budget; known are \(names.joined(separator: ", ")), as in silent=3/1h")
        }
        guard parts.count == 2, set(String(parts[0]), to: parts[1], in: &budgets) else {
            throw BudgetTextError(description: "\(text): \(wanted), or unlimited, is expected after the =")
        }
    }

    /// - Returns: Whether the budget exists and the string is valid.
    package static func set(_ name: String, to text: some StringProtocol, in budgets: inout DeliveryBudgets) -> Bool {
        guard let field = fields.first(where: { $0.name == name })?.field else { return false }
        let budget = budget(text)
        guard budget != nil || text == unlimited else { return false }
        budgets[keyPath: field] = budget
        return true
    }
}
