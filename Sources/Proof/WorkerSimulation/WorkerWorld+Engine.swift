import APNSModel
import APNSPayload
import MemoryQueue
import PushQueue
import WorkerCore

/// The engine: calls and answers that get lost, come twice or late.
extension WorkerWorld {
    /// The time that a slow engine takes at most, in milliseconds. Extending begins after a third of a lease of 20 s, so that two
    /// calls one after the other still come in time.
    private static let longestCall: Int64 = 3_000

    func isCalling(_ kind: EngineCall.Kind, _ worker: Int) -> Bool {
        workers[worker].calls.contains { $0.kind == kind }
    }

    mutating func call(_ body: EngineCall.Body, _ worker: Int, hasFaults: Bool) {
        let delay = isEngineSlow && hasFaults ? Int64.random(in: 0...WorkerWorld.longestCall, using: &random) : 0
        var canFail = hasFaults
        // An engine that is slow and loses extensions as well lets leases end, which is a hard fault.
        if case .extend = body, isEngineSlow { canFail = false }
        let faults = (0..<3).map { _ in chance(0.05) && canFail }
        var call = EngineCall(
            body: body, start: now(worker), at: time + delay, isLost: faults[0], isAnswerLost: faults[1],
            isRepeated: faults[2])
        // A slow engine carries a call out at once and answers late, or does both late.
        if delay == 0 || chance(0.5) { carryOut(&call, worker) }
        if delay == 0 { finish(call, worker) } else { workers[worker].calls.append(call) }
    }

    /// Takes the answers that have come.
    mutating func takeAnswers(_ worker: Int) {
        let due = workers[worker].calls.filter { $0.at <= time }
        workers[worker].calls.removeAll { $0.at <= time }
        for call in due { finish(call, worker) }
    }

    private mutating func carryOut(_ call: inout EngineCall, _ worker: Int) {
        guard !call.isLost else { return }
        let name = workers[worker].name
        for _ in 0..<(call.isRepeated ? 2 : 1) {
            switch call.body {
            case .reserve(let demands):
                let reservation = queue.reserve(demands, lease: lease, as: name, at: time)
                call.answer = .reserved(reservation, asked: demands)
            case .extend(let jobs):
                call.answer = .extended(jobs, lost: queue.extend(jobs, lease: lease, as: name, at: time))
            case .settle(let settlements):
                call.answer = .settled(queue.settle(settlements, resultsKept: 0, at: time))
            }
        }
    }

    private mutating func finish(_ finished: EngineCall, _ worker: Int) {
        var call = finished
        if call.answer == nil { carryOut(&call, worker) }
        guard !call.isAnswerLost, let answer = call.answer else { return failed(call, worker) }
        switch answer {
        case .reserved(let reservation, let demands):
            workers[worker].core.reserved(reservation, asked: demands, since: call.start, at: now(worker))
            take(reservation.jobs, worker)
            if workers[worker].isStopping { handBack(worker) }
        case .extended(let jobs, let lost):
            workers[worker].core.extended(jobs, lost: lost, start: call.start)
        case .settled(let results): workers[worker].core.settled(results)
        }
    }

    private mutating func failed(_ call: EngineCall, _ worker: Int) {
        switch call.kind {
        case .reserve: if !call.isLost { workers[worker].needsReclaim = true }
        case .extend: break
        case .settle:
            let isRefused = chance(0.5) && call.isLost
            workers[worker].core.settlingFailed(isRefused: isRefused)
        }
    }

    private mutating func take(_ jobs: [Job], _ worker: Int) {
        var reader = JobReader(defaults: EnvelopeDefaults(topic: WorkerWorld.topic, pushType: .alert), validates: false)
        workers[worker].core.take(jobs, with: &reader, at: now(worker))
    }

    /// A worker that stops gives back what it has not sent.
    mutating func handBack(_ worker: Int) {
        let released = workers[worker].core.drain(at: now(worker))
        queue.release(released, as: workers[worker].name, at: time)
    }
}
