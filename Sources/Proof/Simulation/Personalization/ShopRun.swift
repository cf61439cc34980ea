import APNSModel
import Foundation
import PushDispatch

/// One run of the shop's world from one seed: devices with the app library and the decision service, on one thread and one
/// timeline.
///
/// @unchecked: only the thread that calls `simulate` uses it.
final class ShopRun: AppRun, @unchecked Sendable {
    static let start: Int64 = 1_800_000_000_000

    let seed: UInt64
    /// What the devices keep their events in; nil for memory.
    let files: ShopFiles?
    let settings: ShopSettings
    let executor: VirtualExecutor
    let timeline = Timeline()
    let journal: RunJournal
    var random: SeededGenerator
    let userNames: [String]
    private(set) var service: ShopService!
    private(set) var devices: [ShopDevice] = []
    /// False from the moment at which faults stop.
    var injectsFaults = true
    private var lastNumber = 0
    var crashAt: Int?
    var faults: AppFaults { settings.faults }

    init(seed: UInt64, recordsTrace: Bool, files: SimulationFiles? = nil) throws {
        self.seed = seed
        journal = RunJournal(timeline, recordsTrace: recordsTrace)
        self.files = try files.flatMap { try ShopFiles($0, seed: seed) }
        var random = SeededGenerator(seed: SeededGenerator.mix(seed &+ 0x5409))
        settings = ShopSettings(using: &random)
        executor = VirtualExecutor(seed: random.next())
        self.random = random
        userNames = (1...settings.users).map { "user\($0)" }
        service = ShopService(self)
        let configuration = try settings.configuration()
        devices = (1...settings.devices).map { ShopDevice(number: $0, self, configuration) }
    }

    func simulate() -> SimulationReport {
        defer { files?.remove() }
        setCrash()
        runScript()
        finish()
        for device in devices { device.kill(quietly: true) }
        settle()
        return SimulationReport(
            seed: seed, worlds: [.personalization], violations: journal.violations, trace: journal.lines,
            counts: journal.counts, simulatedMilliseconds: timeline.now, jobs: executor.count)
    }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func crash() {
        if let device = pick(devices.filter { $0.app != nil }) { device.kill() }
    }
}

extension SeededRun {
    /// Random bytes as hexadecimal digits.
    func makeID() -> String {
        let digits = String(random.next(), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// A UUID whose bits are random.
    func makeUUID() -> UUID {
        var bytes = UUID().uuid
        withUnsafeMutableBytes(of: &bytes) { buffer in
            for index in 0..<2 { buffer.storeBytes(of: random.next(), toByteOffset: index * 8, as: UInt64.self) }
        }
        return UUID(uuid: bytes)
    }
}
