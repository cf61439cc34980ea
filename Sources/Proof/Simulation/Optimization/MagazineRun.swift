import APNSModel
import EventDelivery
import Foundation
import OptimizationSimulator
import PushDispatch

/// One run of the magazine's world from one seed: devices with the library `Optimization` and its services on one timeline.
///
/// The library lives on the main actor, so this runs each job on the main queue while its thread waits.
///
/// @unchecked: only the thread that calls `simulate` uses it, or the main queue while the thread waits for it.
final class MagazineRun: AppRun, @unchecked Sendable {
    static let start: Int64 = 1_800_000_000_000

    let seed: UInt64
    let settings: MagazineSettings
    let executor: VirtualExecutor
    let timeline = Timeline()
    let journal: RunJournal
    var random: SeededGenerator
    private(set) var service: MagazineService!
    private(set) var devices: [MagazineDevice] = []
    var injectsFaults = true
    var crashAt: Int?
    var faults: AppFaults { settings.faults }
    private var lastNumber = 0

    init(seed: UInt64, recordsTrace: Bool) {
        self.seed = seed
        journal = RunJournal(timeline, recordsTrace: recordsTrace)
        var random = SeededGenerator(seed: SeededGenerator.mix(seed &+ 0x3a6a))
        settings = MagazineSettings(using: &random)
        executor = VirtualExecutor(seed: random.next(), takesMainActor: true)
        self.random = random
        service = MagazineService(self)
        devices = (1...settings.devices).map { MagazineDevice(number: $0, self) }
    }

    func simulate() -> SimulationReport {
        setCrash()
        runScript()
        finish()
        for device in devices { device.kill(quietly: true) }
        settle()
        return SimulationReport(
            seed: seed, worlds: [.optimization], violations: journal.violations, trace: journal.lines,
            counts: journal.counts, simulatedMilliseconds: timeline.now, jobs: executor.count)
    }

    var wallTime: EventTime { EventTime(milliseconds: MagazineRun.start + timeline.now) }

    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func crash() {
        if let device = pick(devices.filter { $0.app != nil }) { device.kill() }
    }

    // MARK: The script

    private func runScript() {
        for device in devices where chance(70) { device.launch().answer(true) }
        for _ in 0..<settings.steps {
            let pause: Int
            switch number(below: 10) {
            case 0...4: pause = number(below: 100)
            case 5...7: pause = number(below: 10_000)
            case 8: pause = number(below: 120_000)
            default: pause = number(below: 1_500_000)
            }
            settle(until: timeline.now + Int64(pause))
            if let device = pick(devices) { step(device) }
        }
    }

    private func step(_ device: MagazineDevice) {
        if chance(settings.consentPercent) { return device.launch().answer(chance(70)) }
        if chance(settings.resetPercent) { return device.launch().reset() }
        switch number(below: 100) {
        case 0..<14: device.launch().screen()
        case 14..<20: device.launch().page()
        case 20..<28: device.launch().identify(isGold: chance(50))
        case 28..<46: device.launch().look()
        case 46..<53: device.launch().tap()
        case 53..<58: device.launch().trackDirectly()
        case 58..<63: device.launch().changeLive()
        case 63..<73: device.launch().preview()
        case 73..<77: device.launch().enterBackground()
        case 77..<81: device.launch().enterForeground()
        case 81..<85: device.launch().flush(isForced: chance(30))
        case 85..<90:
            device.isOnline.toggle()
            count(.connectionChange)
            trace("\(device.name) is \(device.isOnline ? "online" : "offline")")
            device.app?.networkChanged()
        case 90..<94: if injectsFaults { device.kill() }
        case 94..<96:
            guard faults.storeFaultPercent > 0 else { return device.launch().screen() }
            device.isFull.toggle()
            count(.diskFull)
            trace("\(device.name)'s disk is \(device.isFull ? "full" : "free")")
        case 96..<98: if settings.restarts { device.launch().restart() }
        default: for _ in 0..<120 { device.launch().screen() }
        }
    }

    // MARK: The end

    /// Nothing more goes wrong, everything that waits is sent, and all of it is checked.
    private func finish() {
        injectsFaults = false
        trace("faults stop")
        for device in devices {
            device.isOnline = true
            device.isFull = false
            device.launch().networkChanged()
        }
        settle(until: timeline.now + 600_000)
        for device in devices where device.audit.answer.values.contains(nil) {
            device.launch().answer(chance(80))
            settle(until: timeline.now + 60_000)
        }
        // What is seen is reported as long as it is seen.
        for device in devices { device.app?.enterBackground() }
        // Whatever waits is sent without being asked for, at the latest after a pause of the service and a circuit.
        settle()
        for device in devices { device.app?.flush(isForced: true) }
        settle()
        count(.eventReceived, service.received.count)
        count(.eventRepeated, service.repeats)
        checkPeople()
        for device in devices {
            device.audit.checkEnd(service.received)
            device.app?.checkShown()
        }
        settle()
    }

    /// What different people have done belongs to different profiles.
    private func checkPeople() {
        var people: [String: String] = [:]
        var uncertain: Set<String> = []
        for device in devices where device.audit.hasLostReset { uncertain.insert(device.name) }
        for entry in service.received {
            guard let (device, person) = author(of: entry.event.messageID), !uncertain.contains(device.name) else {
                continue
            }
            let (profile, name) = (service.owner(of: entry), "\(device.name), person \(person)")
            if let other = people.updateValue(name, forKey: profile), other != name {
                reportViolation("the profile \(profile) has events of \(other) and of \(name)")
                return
            }
        }
    }

    private func author(of id: String?) -> (device: MagazineDevice, person: Int)? {
        for device in devices { if let person = device.audit.person(ofEvent: id) { return (device, person) } }
        return nil
    }
}
