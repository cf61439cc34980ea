import OrgSimulator
import PushDispatch
import SelectiveSync
import Synchronization

extension Simulation {
    /// Measures one plan in several seeds.
    package static func measure(_ plan: StalenessPlan, seeds: ClosedRange<UInt64>) async throws -> StalenessReport {
        try await onThread {
            var sum = StalenessReport()
            for seed in seeds { sum.add(try StalenessRun(plan, seed: seed).measure()) }
            return sum
        }
    }
}

/// A day of changes, in which devices learn of them as the plan says.
///
/// @unchecked: only the thread of the simulation uses it.
final class StalenessRun: @unchecked Sendable {
    /// A change that a device does not have yet.
    private struct Awaited {
        let device: Int
        let record: RecordID
        let object: String
        let stamp: ServerDate
        let at: Int64
        let isOwn: Bool
    }

    private static let hour: Int64 = 3_600_000
    private static let budget: Int64 = 25_000
    /// Twice the day: the longest time between syncs is one, and the last change may come at its end.
    private static let maximumMilliseconds = 3 * 24 * hour

    private let plan: StalenessPlan
    private let run: Run
    private var awaited: [Awaited] = []
    private var report = StalenessReport()
    /// The executed jobs at the last look into the stores.
    private var seenJobs = 0

    init(_ plan: StalenessPlan, seed: UInt64) throws {
        self.plan = plan
        run = try Run(seed: seed, recordsTrace: false) { plan.settings($0) }
        run.injectsFaults = false
    }

    func measure() -> StalenessReport {
        begin()
        let start = run.timeline.now
        let before = counts
        let end = start + Int64(StalenessPlan.hours) * StalenessRun.hour
        scheduleChanges(from: start)
        for device in run.devices {
            let interval = Int64(plan.syncMinutes) * 60_000
            repeatSync(device, at: start + Int64(run.number(below: Int(interval))), every: interval)
        }
        advance(until: end)
        let after = counts
        (report.requests, report.records, report.wakes) = (
            after.requests - before.requests, after.records - before.records, after.wakes - before.wakes
        )
        report.deviceDays = run.devices.count
        while !awaited.isEmpty, run.timeline.now < start + StalenessRun.maximumMilliseconds {
            advance(until: run.timeline.now + StalenessRun.hour)
        }
        for change in awaited {
            run.reportViolation("device \(change.device + 1) never gets the change of \(change.record)")
        }
        for device in run.devices { device.kill(quietly: true) }
        report.violations = run.violations.map { "seed \(run.seed): \($0)" }
        return report
    }

    /// The first sync of all devices, and then a change of each object: otherwise the mark of a device would be the stamp
    /// of all new records, and each sync would read them all again.
    private func begin() {
        run.begin()
        for device in run.devices { sync(device) }
        run.settle(until: run.timeline.now + 10 * StalenessRun.budget)
        for object in AppProcess.objects {
            guard let owner = run.devices.first?.account, let row = run.org.rows(of: object, for: owner).first else {
                continue
            }
            _ = run.org.update([Org.Change(row.id, ["Name": "first"])], by: owner, at: run.orgNow)
        }
        for device in run.devices { sync(device) }
        run.settle(until: run.timeline.now + 10 * StalenessRun.budget)
    }

    private var counts: (requests: Int, records: Int, wakes: Int) {
        (run.counts[.request] ?? 0, run.counts[.recordRead] ?? 0, run.counts[.wake] ?? 0)
    }

    // MARK: The day

    private func scheduleChanges(from start: Int64) {
        let count = plan.changesPerHour * StalenessPlan.hours
        for user in run.org.users {
            for _ in 0..<count {
                let moment = start + Int64(run.number(below: StalenessPlan.hours * Int(StalenessRun.hour)))
                run.timeline.at(moment) { [self] in change(by: user) }
            }
        }
    }

    /// Changes a random record that its user and those of all devices see.
    private func change(by user: RecordID) {
        let rows = AppProcess.objects.flatMap { run.org.rows(of: $0, for: user) }
        guard let row = run.pick(rows) else { return }
        let name = JSONValue.string("changed \(run.nextNumber())")
        guard let pushes = run.org.update([Org.Change(row.id, ["Name": name])], by: user, at: run.orgNow),
            let stamp = run.org.org[row.id]?.systemModstamp
        else { return run.reportViolation("the change of \(row.id) is refused") }
        for (index, device) in run.devices.enumerated() {
            guard let account = device.account, run.org.shows(row.id, to: account) else { continue }
            awaited.append(
                Awaited(
                    device: index, record: row.id, object: row.object, stamp: stamp, at: run.timeline.now,
                    isOwn: account == user))
        }
        if plan.pushes { run.pushService.send(pushes) }
    }

    private func sync(_ device: AuditedDevice) {
        device.launch().regularSync(checksGhosts: false, within: StalenessRun.budget)
    }

    private func repeatSync(_ device: AuditedDevice, at moment: Int64, every interval: Int64) {
        run.timeline.at(moment) { [self] in
            sync(device)
            repeatSync(device, at: moment + interval, every: interval)
        }
    }

    // MARK: Looking

    /// Runs until `end` and looks after every event whether a copy has arrived, so that ages are exact.
    private func advance(until end: Int64) {
        repeat {
            run.runJobs()
            look()
        } while run.runNextEvent(until: end)
        run.timeline.wait(until: end)
    }

    private func look() {
        guard !awaited.isEmpty, run.executor.count != seenJobs else { return }
        let found = Mutex<Set<Int>>([])
        run.wait { [run, awaited] in
            for (index, change) in awaited.enumerated() {
                let record = await run.devices[change.device].disk.perform {
                    (try? $0.record(.server(change.record), of: change.object)) ?? nil
                }
                if let stamp = record?.record?.systemModstamp, stamp >= change.stamp {
                    found.withLock { _ = $0.insert(index) }
                }
            }
        }
        seenJobs = run.executor.count
        let arrived = found.withLock { $0 }
        for index in arrived {
            let age = run.timeline.now - awaited[index].at
            if awaited[index].isOwn { report.own.add(age) } else { report.others.add(age) }
        }
        awaited = awaited.enumerated().filter { !arrived.contains($0.offset) }.map(\.element)
    }
}
