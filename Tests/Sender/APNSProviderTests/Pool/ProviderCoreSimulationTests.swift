import APNSModel
import TestSeeds
import Testing

@testable import APNSProvider

/// The core and a gateway that does everything that gateways may do, in random order from a seed: every submission has
/// exactly one outcome, and it is true.
struct ProviderCoreSimulationTests {
    @Test(arguments: TestSeed.all(1...300))
    func `every submission has one true outcome`(seed: TestSeed) throws {
        var run = Run(seed: seed.value)
        run.go()
        #expect(run.errors.isEmpty, "\(run.errors)")
        #expect(run.outcomes.count == run.submitted)
    }

    struct Run {
        typealias Core = ProviderCore

        struct Stream {
            let number: Int
            var isSent: Bool
            /// The gateway has judged it, so it may be delivered.
            var isProcessed = false
            var isDone = false
        }

        var core: Core
        var random: SeededGenerator
        var now = MonotonicTime.zero
        var submitted = 0
        var outcomes: [Int: APNSOutcome] = [:]
        var errors: [String] = []
        /// The streams of each open connection, by slot; nil for a connection that is not open.
        var connections: [Int: [Int: Stream]] = [:]
        var connecting: Set<Int> = []
        /// How often the gateway processed each submission.
        var processed: [Int: Int] = [:]
        var submissions: [Submission] = []
        var actions: [Core.Action] = []
        var resolved: [Core.Resolution] = []

        init(seed: UInt64) {
            random = SeededGenerator(seed: seed)
            core = Core(
                limits: Core.Limits(connections: 1 + Int(seed % 3), connectAttempts: seed % 5 == 0 ? 4 : nil),
                reconnection: ReconnectionPolicy(first: .milliseconds(100), longest: .seconds(5), seed: seed))
        }

        mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

        mutating func go() {
            for _ in 0..<400 {
                if chance(60) { submit() }
                step()
            }
            // From here on the gateway answers everything, so that the run ends.
            for _ in 0..<2000 where outcomes.count < submitted {
                now = now + .milliseconds(50)
                plan()
                for connection in connecting.sorted() { open(connection) }
                for connection in connections.keys.sorted() {
                    write(connection)
                    for slot in (connections[connection] ?? [:]).keys.sorted() { answer(connection, slot) }
                }
            }
        }

        mutating func submit() {
            submitted += 1
            let submission = Submission(
                submitted, submitted: now,
                deadline: now + .milliseconds(Int64.random(in: 50...20_000, using: &random)))
            submissions.append(submission)
            core.submit(submission)
        }

        mutating func step() {
            now = now + .milliseconds(Int64.random(in: 0...40, using: &random))
            plan()
            if let connection = connecting.sorted().first {
                chance(70) ? open(connection) : lose(connection, isPermanent: chance(3))
            }
            if chance(10), submitted > 0 { cancel(submissions.randomElement(using: &random)!) }
            if chance(30) {
                let connections = connections
                core.expire(at: now, actions: &actions, resolved: &resolved) { connections[$0]?[$1]?.isSent ?? true }
                settle()
            }
            for connection in connections.keys.sorted() {
                if chance(20) {
                    core.streamLimit(connection: connection, [1, 2, 5, 1000].randomElement(using: &random)!)
                }
                if chance(80) { write(connection) }
                for slot in (connections[connection] ?? [:]).keys.sorted() where chance(40) { happen(connection, slot) }
                if chance(3) {
                    core.goAway(
                        connection: connection, reason: chance(95) ? "Shutdown" : "BadCertificate", at: now)
                }
                if chance(3) { lose(connection, isPermanent: false) }
            }
        }

        mutating func plan() {
            core.plan(at: now, actions: &actions, resolved: &resolved)
            settle()
        }

        mutating func settle() {
            let due = actions
            actions = []
            for action in due {
                switch action {
                case .open(let connection): connecting.insert(connection)
                case .close(let connection), .abort(let connection): lose(connection, isPermanent: false)
                case .ping(let connection): core.heard(connection: connection, at: now)
                case .reset(let connection, let slot):
                    connections[connection]?[slot] = nil
                    _ = core.closed(
                        connection: connection, slot: slot, isRefused: false, description: "CANCEL", at: now)
                }
            }
            for resolution in resolved { note(resolution) }
            resolved = []
        }

        mutating func note(_ resolution: Core.Resolution) {
            let number = resolution.submission.number
            if outcomes[number] != nil { errors.append("two outcomes for \(number)") }
            outcomes[number] = resolution.outcome
            let times = processed[number, default: 0]
            switch resolution.outcome {
            case .accepted where times != 1: errors.append("accepted \(number), processed \(times) times")
            case .unsent where times != 0: errors.append("unsent \(number), processed \(times) times")
            case .unknown where times > 1: errors.append("unknown \(number), processed \(times) times")
            default: break
            }
        }

        mutating func open(_ connection: Int) {
            connecting.remove(connection)
            connections[connection] = [:]
            core.opened(connection: connection, at: now)
            core.streamLimit(connection: connection, 1000)
        }

        mutating func write(_ connection: Int) {
            while let submission = core.next(on: connection, at: now, resolved: &resolved) {
                if chance(2) {
                    core.notStarted(submission, on: connection, at: now)
                    break
                }
                // As in a session: a slot may be used again once its stream was closed.
                let slots = connections[connection] ?? [:]
                let slot = (0...).first { slots[$0] == nil }!
                let isSent = chance(90)
                connections[connection]?[slot] = Stream(number: submission.number, isSent: isSent)
                core.started(submission, on: connection, slot: slot)
            }
            settle()
        }

        mutating func process(_ connection: Int, _ slot: Int) {
            guard let stream = connections[connection]?[slot], stream.isSent, !stream.isProcessed else { return }
            connections[connection]?[slot]?.isProcessed = true
            processed[stream.number, default: 0] += 1
            if processed[stream.number]! > 1 { errors.append("\(stream.number) processed twice") }
        }

        mutating func answer(_ connection: Int, _ slot: Int) {
            connections[connection]?[slot]?.isSent = true
            process(connection, slot)
            core.head(connection: connection, slot: slot, ResponseHead(status: 200))
            if let resolution = core.answered(connection: connection, slot: slot, at: now) {
                resolved.append(resolution)
            }
            close(connection, slot, isRefused: false)
        }

        mutating func close(_ connection: Int, _ slot: Int, isRefused: Bool) {
            connections[connection]?[slot] = nil
            if let resolution = core.closed(
                connection: connection, slot: slot, isRefused: isRefused, description: "INTERNAL_ERROR", at: now)
            {
                resolved.append(resolution)
            }
            settle()
        }

        /// One of the things that may happen to a stream.
        mutating func happen(_ connection: Int, _ slot: Int) {
            guard let stream = connections[connection]?[slot] else { return }
            switch Int.random(in: 0..<10, using: &random) {
            case 0..<5: answer(connection, slot)
            case 5: process(connection, slot)
            case 6 where !stream.isProcessed: close(connection, slot, isRefused: true)
            case 7: close(connection, slot, isRefused: false)
            default: connections[connection]?[slot]?.isSent = true
            }
        }

        mutating func lose(_ connection: Int, isPermanent: Bool) {
            connecting.remove(connection)
            let streams = connections.removeValue(forKey: connection) ?? [:]
            core.lost(
                connection: connection, description: "reset", isPermanent: isPermanent, at: now, resolved: &resolved
            ) { slot in
                streams[slot]?.isSent ?? true
            }
            settle()
        }

        mutating func cancel(_ submission: Submission) {
            let connections = connections
            let resolution = core.cancel(submission, actions: &actions) { connections[$0]?[$1]?.isSent ?? true }
            if let resolution { resolved.append(resolution) }
            settle()
        }
    }
}
