import TestSeeds
import Testing

@testable import Simulation

struct StalenessTests {
    private func measure(_ plan: StalenessPlan) async throws -> StalenessReport {
        let report = try await Simulation.measure(plan, seeds: 1...2)
        #expect(report.violations.isEmpty, "\(report.violations)")
        return report
    }

    @Test func `with pushes the user's own changes arrive in seconds, and those of others wait for a regular sync`()
        async throws
    {
        var plan = StalenessPlan(syncMinutes: 60, pushes: true, changesPerHour: 1)
        plan.hasBudget = false
        let report = try await measure(plan)
        #expect(try #require(report.own.percentile(100)) < 10_000)
        let median = try #require(report.others.percentile(50))
        #expect(median > 600_000 && median < 3_600_000)
        #expect(report.wakes > 0)
    }

    @Test func `polling is as late as its interval, for all changes, and wakes no app`() async throws {
        let report = try await measure(StalenessPlan(syncMinutes: 15, pushes: false, changesPerHour: 1))
        for percentile in [report.own.percentile(100), report.others.percentile(100)] {
            let longest = try #require(percentile)
            #expect(longest > 600_000 && longest < 1_000_000)
        }
        #expect(report.wakes == 0 && report.requests > 2 * 96 * report.deviceDays)
    }

    @Test func `each change is measured once on each device`() async throws {
        let report = try await measure(StalenessPlan(syncMinutes: 60, pushes: false, changesPerHour: 2))
        // In two runs each of two users makes 48 changes, and the devices of the first see all of the user's own.
        #expect(report.own.count == 2 * 48 * StalenessPlan.devices)
        #expect(report.others.count <= report.own.count && report.others.count > report.own.count / 2)
        #expect(report.deviceDays == 2 * StalenessPlan.devices)
    }

    @Test func `a percentile is the nearest rank`() {
        var ages = StalenessReport.Ages()
        #expect(ages.percentile(50) == nil)
        for age in [40, 10, 30, 20] as [Int64] { ages.add(age) }
        #expect([1, 25, 26, 50, 95, 100].map { ages.percentile($0) } == [10, 10, 20, 20, 40, 40])
    }
}
