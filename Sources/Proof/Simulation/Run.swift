import APNSModel
import Foundation
import OrgSimulator
import PushDispatch
import SelectiveSync

/// One run of the whole product from one seed: sender, gateway, devices and org on one thread and one timeline.
///
/// @unchecked: only the thread that calls `simulate` uses it.
final class Run: SeededRun, @unchecked Sendable {
    static let start: Int64 = 1_800_000_000_000
    private static let maximumJobs = 400_000
    private static let faultEffectMilliseconds: Int64 = 180_000
    private static let overloadPercent = 50

    /// The folder of a run whose devices have files.
    struct Folder {
        let url: URL
        let open: SimulationFiles.Open
    }

    let seed: UInt64
    let folder: Folder?
    let settings: SimulationSettings
    let executor: VirtualExecutor
    let timeline = Timeline()
    var random: SeededGenerator
    var org: SimulatedOrg
    private(set) var pushService: SimulatedPushService!
    private(set) var devices: [AuditedDevice] = []
    /// False from the moment at which faults stop.
    var injectsFaults = true
    let journal: RunJournal
    private var lastNumber = 0
    private var crashAt: Int?
    private var lastFault: Int64?
    /// Until when the org refuses every second request.
    private var overloadEnds: Int64 = 0
    /// Whether it does so because few calls of the day are left.
    private var hasNoCallsLeft = false

    /// - Parameter change: Changes the settings that the seed gives.
    init(
        seed: UInt64, recordsTrace: Bool, files: SimulationFiles? = nil,
        change: (SimulationSettings) -> SimulationSettings = { $0 }
    ) throws {
        self.seed = seed
        folder = files.flatMap { files in
            guard seed.isMultiple(of: SimulationFiles.seedsPerFile) else { return nil }
            return Folder(
                url: files.folder.appendingPathComponent("\(seed)-\(UUID().uuidString)"), open: files.open)
        }
        journal = RunJournal(timeline, recordsTrace: recordsTrace)
        var random = SeededGenerator(seed: SeededGenerator.mix(seed &+ 0x5eed))
        settings = change(SimulationSettings(using: &random))
        executor = VirtualExecutor(seed: random.next())
        self.random = random
        let users = (1...settings.users).compactMap { RecordID("005xx00000000\($0)0") }
        let chosen = settings
        org = SimulatedOrg(users: users) { settings in
            settings.minimumPageSize = chosen.pageSize
            settings.maximumPageSize = chosen.pageSize
            settings.readsPagesLate = chosen.readsPagesLate
            settings.accessTokenLifetime = chosen.accessTokenLifetime
            settings.rotatesRefreshTokens = chosen.rotatesRefreshTokens
        }
        pushService = try SimulatedPushService(self)
        devices = try (1...settings.devices).map { try AuditedDevice(number: $0, self) }
    }

    func simulate() -> SimulationReport {
        defer { if let folder { try? FileManager.default.removeItem(at: folder.url) } }
        setCrash()
        begin()
        runScript()
        rest()
        finish()
        for device in devices { device.kill(quietly: true) }
        settle()
        return SimulationReport(
            seed: seed, worlds: [.records], violations: violations, trace: journal.lines, counts: counts,
            simulatedMilliseconds: timeline.now, jobs: executor.count)
    }

    /// The org's clock. For simplicity, sender and gateway use it too; the clocks of devices may be wrong.
    var orgNow: ServerDate { ServerDate(millisecondsSince1970: Run.start + timeline.now) }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

// MARK: - Time

extension Run {
    /// Runs until everything is idle, or until `end`.
    func settle(until end: Int64? = nil) {
        while executor.count < Run.maximumJobs {
            while executor.runNext() {
                if executor.count >= Run.maximumJobs { return reportViolation("the run does not become idle") }
                if let crashAt, executor.count >= crashAt { crash() }
            }
            guard let next = timeline.next, end.map({ next <= $0 }) ?? true else { break }
            timeline.runNext()
        }
        if let end { timeline.wait(until: end) }
    }

    /// Runs the jobs that are ready. No time passes.
    func runJobs() {
        while executor.runNext() {
            if executor.count >= Run.maximumJobs { return reportViolation("the run does not become idle") }
        }
    }

    /// - Returns: False if no event is due by `end`, or the run has too many jobs.
    func runNextEvent(until end: Int64) -> Bool {
        guard let next = timeline.next, next <= end, executor.count < Run.maximumJobs else { return false }
        timeline.runNext()
        return true
    }

    /// Runs until `body` has ended.
    func wait(_ body: @escaping @Sendable () async -> Void) {
        let done = Flag()
        executor.tasks {
            await body()
            done.isSet = true
        }
        while !done.isSet, executor.count < Run.maximumJobs {
            if executor.runNext() { continue }
            guard timeline.next != nil else { return reportViolation("a task waits for an event that never happens") }
            timeline.runNext()
        }
    }

    /// @unchecked: only the thread of the simulation uses it.
    private final class Flag: @unchecked Sendable { var isSet = false }

    private func setCrash() {
        crashAt = settings.jobsBetweenCrashes.map { executor.count + 1 + number(below: 2 * $0) }
    }

    private func crash() {
        setCrash()
        guard injectsFaults else { return crashAt = nil }
        let alive = devices.filter { $0.process != nil }
        if let device = pick(alive) { device.crash() }
    }
}

// MARK: - Random choices

extension Run {
    /// Decides whether a fault happens; never once faults have stopped.
    func injectsFault(_ percent: Int) -> Bool {
        guard injectsFaults, chance(percent) else { return false }
        noteFault()
        return true
    }

    /// Records a fault that may delay an app.
    func noteFault() { lastFault = timeline.now }

    /// Includes faults in the minutes before, because work may still be delayed by them.
    func hadFault(since moment: Int64) -> Bool { lastFault.map { $0 > moment - Run.faultEffectMilliseconds } ?? false }

    struct Trip {
        /// Nil if the message never arrives.
        var milliseconds: Int64?
        var isBroken = false
    }

    func trip() -> Trip {
        if injectsFault(settings.requestFaultPercent) {
            count(.requestDropped)
            return chance(50) ? Trip(milliseconds: nil) : Trip(milliseconds: 20, isBroken: true)
        }
        if injectsFault(settings.slowPercent) { return Trip(milliseconds: Int64(3_000 + number(below: 30_000))) }
        return Trip(milliseconds: Int64(5 + number(below: 200)))
    }

    /// The org refuses every second request for a while: it is overloaded, or has few calls of the day left.
    func overloadOrg(for milliseconds: Int64) {
        hasNoCallsLeft = chance(50)
        trace("the org \(hasNoCallsLeft ? "has few calls left" : "is overloaded") for \(milliseconds / 1_000) s")
        overloadEnds = timeline.now + milliseconds
    }

    func serverRefusal() -> RESTReply? {
        let isOverloaded = timeline.now < overloadEnds
        guard injectsFault(isOverloaded ? Run.overloadPercent : settings.refusalPercent) else { return nil }
        count(.refusal)
        if isOverloaded, hasNoCallsLeft { return .refusal(403, "REQUEST_LIMIT_EXCEEDED") }
        var busy = RESTReply.refusal(503, "SERVER_UNAVAILABLE")
        busy.headers["retry-after"] = "2"
        let html = ["content-type": "text/html"]
        let page = RESTReply(status: 200, headers: html, body: Array("<p>Log in to the Wi-Fi".utf8))
        return pick([
            .refusal(503, "SERVER_UNAVAILABLE"), busy, .refusal(403, "REQUEST_LIMIT_EXCEEDED"), page,
            RESTReply(status: 502, headers: html),
        ])
    }

    /// The refusal of one change of an upload; nil to accept it.
    func editRefusal() -> RESTReply? {
        // A rule of the org refuses a change more often than the org refuses a request.
        if injectsFault(4 * settings.refusalPercent) {
            count(.refusal)
            return .refusal(400, "FIELD_CUSTOM_VALIDATION_EXCEPTION")
        }
        guard injectsFault(settings.refusalPercent) else { return nil }
        count(.refusal)
        return pick([.refusal(403, "REQUEST_LIMIT_EXCEEDED"), .refusal(503, "SERVER_UNAVAILABLE")])
    }

    /// The delays before and after a store call, and whether it fails.
    func storeCall(of device: AuditedDevice) -> (before: Int64, after: Int64, fails: Bool) {
        if device.hasSlowStore {
            noteFault()
            return (Int64(number(below: 1_000)), Int64(number(below: 100)), false)
        }
        if injectsFault(settings.storeStallPercent) { return (Int64(number(below: 40_000)), 0, false) }
        return (Int64(number(below: 4)), Int64(number(below: 3)), injectsFault(settings.storeFaultPercent))
    }
}

// MARK: - Trace and violations

extension Run {
    var violations: [String] { journal.violations }

    var counts: [SimulationReport.Kind: Int] { journal.counts }

    func name(_ user: RecordID) -> String { org.users.firstIndex(of: user).map { "user \($0 + 1)" } ?? "\(user)" }

    func short(_ records: [RecordID]) -> String { records.map(\.description).joined(separator: " ") }
}
