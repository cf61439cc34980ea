import GatewayCore
import GatewayJSON
import Testing

struct BudgetTextTests {
    @Test func `one budget is set from its name and its text`() throws {
        var budgets = DeliveryBudgets.documented
        try BudgetText.set("silent=unlimited", in: &budgets)
        try BudgetText.set("liveactivity=60/1h", in: &budgets)
        #expect(budgets.silent == nil)
        #expect(budgets.liveActivity == DeliveryBudget(count: 60, period: 3_600_000))
        #expect(budgets.complication == DeliveryBudgets.documented.complication)
    }

    @Test(arguments: ["silent", "loud=3/1h", "silent=3", "silent=", "=3/1h"])
    func `a text that sets no budget is refused and changes nothing`(text: String) {
        var budgets = DeliveryBudgets.documented
        let error = #expect(throws: BudgetTextError.self) { try BudgetText.set(text, in: &budgets) }
        #expect(error?.description.hasPrefix("\(text): ") == true)
        #expect(budgets == .documented)
    }
}
