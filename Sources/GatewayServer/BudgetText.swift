package import GatewayCore

/// Budgets as users write and read them: `3/1h` is three in an hour.
package enum BudgetText {
    static let wanted =
        "a number from 1 to \(DeliveryBudget.maximumCount), a slash and a duration of at most 30d, such as 3/1h"

    static let names = ["silent", "complication", "location", "liveactivity", "widgets", "controls"]

    static func budget(_ text: some StringProtocol) -> DeliveryBudget? {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), !parts[0].hasPrefix("+"),
            let period = TimeText.milliseconds(ofDuration: parts[1])
        else { return nil }
        return DeliveryBudget(count: count, period: period)
    }

    static func text(_ budget: DeliveryBudget) -> String {
        "\(budget.count)/\(TimeText.duration(budget.period))"
    }

    /// What a device is given.
    static func choice(_ text: String) -> Device.BudgetChoice? {
        switch text {
        case "default": .world
        case "unlimited": .lifted
        default: budget(text).map { .own($0) }
        }
    }

    /// Sets one budget from `NAME=COUNT/PERIOD` or `NAME=unlimited`.
    ///
    /// - Throws: What is wanted.
    package static func set(_ text: String, in budgets: inout DeliveryBudgets) throws(GatewayError) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let value = parts.count == 2 ? parts[1] : ""
        let budget = BudgetText.budget(value)
        switch parts[0] {
        case "silent": budgets.silent = budget
        case "complication": budgets.complication = budget
        case "location": budgets.location = budget
        case "liveactivity": budgets.liveActivity = budget
        case "widgets": budgets.widgets = budget
        case "controls": budgets.controls = budget
        default:
            throw GatewayError(
                .badConfiguration,
                "\(text): there is no such budget; there are silent, complication, location, liveactivity, widgets and "
                    + "controls, as in silent=3/1h")
        }
        guard budget != nil || value == "unlimited" else {
            throw GatewayError(.badConfiguration, "\(text): \(wanted), or unlimited is wanted behind the =")
        }
    }
}
