import Testing

@testable import GatewayCore

struct BudgetUseTests {
    @Test func `each delivery stops counting one period after it`() throws {
        let budget = try #require(DeliveryBudget(count: 2, period: 1000))
        var use = BudgetUse()
        #expect(use.nextFree(budget, at: 0) == nil)
        use.spend(budget, at: 0)
        #expect(use.nextFree(budget, at: 400) == nil)
        use.spend(budget, at: 400)
        #expect(use.nextFree(budget, at: 999) == 1000)
        #expect(use.nextFree(budget, at: 1000) == nil)
        use.spend(budget, at: 1000)
        #expect(use.nextFree(budget, at: 1001) == 1400)
        #expect(use.times == [400, 1000])
    }

    @Test func `times in the future do not count, as after a clock went back`() throws {
        let budget = try #require(DeliveryBudget(count: 1, period: 1000))
        var use = BudgetUse()
        use.spend(budget, at: 5000)
        #expect(use.nextFree(budget, at: 5000) == 6000)
        #expect(use.nextFree(budget, at: 4999) == nil)
    }

    @Test func `a budget has limits`() {
        #expect(DeliveryBudget(count: 0, period: 1000) == nil)
        #expect(DeliveryBudget(count: DeliveryBudget.maximumCount + 1, period: 1000) == nil)
        #expect(DeliveryBudget(count: 1, period: 0) == nil)
        #expect(DeliveryBudget(count: 1, period: DeliveryBudget.maximumPeriod + 1) == nil)
        #expect(DeliveryBudget(count: DeliveryBudget.maximumCount, period: DeliveryBudget.maximumPeriod) != nil)
    }
}
