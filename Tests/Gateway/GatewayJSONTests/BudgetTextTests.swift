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

    @Test func `a budget is read and written`() throws {
        let budget = try #require(BudgetText.budget("3/60m"))
        #expect(budget == DeliveryBudget(count: 3, period: 3_600_000))
        #expect(BudgetText.text(budget) == "3/1h")
    }

    @Test(arguments: ["3", "3/", "/1h", "0/1h", "1001/1h", "3/31d", "-3/1h", "3/1h/2", "three/1h", "+3/1h", "3/0ms"])
    func `a text that is not a budget is refused`(text: String) { #expect(BudgetText.budget(text) == nil) }

    @Test(arguments: [("default", "default"), ("unlimited", "unlimited"), ("5/90m", "5/90m"), ("48/1d", "48/1d")])
    func `the choice of a device is written as it was read`(text: String, shown: String) throws {
        let choice = try #require(BudgetText.choice(text))
        #expect(BudgetText.text(choice) == shown)
    }

    @Test func `a choice of a device that is neither a word nor a budget is refused`() {
        #expect(BudgetText.choice("some") == nil)
    }

    @Test func `all budgets are shown by their names`() {
        #expect(
            BudgetText.texts(.documented).map { "\($0.name)=\($0.text)" } == [
                "silent=3/1h", "complication=50/1d", "location=360/1d", "liveactivity=unlimited", "widgets=unlimited",
                "controls=unlimited",
            ])
        #expect(BudgetText.texts(.lifted).allSatisfy { $0.text == BudgetText.unlimited })
    }
}
