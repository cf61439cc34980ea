import APNSModel
import Foundation
import Synchronization

/// Forwards each delivery to a program, one at a time and in the order of arrival.
///
/// A failed one is tried again; the next delivery waits meanwhile, and the gateway keeps those that follow. After the last
/// attempt it is given up and reported.
public final class DeliveryForwarder: Sendable {
    /// The outcome of one delivery.
    public enum Outcome: Hashable, Sendable {
        case forwarded
        case givenUp
        /// The device stopped before it was forwarded.
        case interrupted
    }

    public enum Event: Hashable, Sendable {
        case forwarded(attempts: Int, Duration)
        case failed(attempts: Int, why: String, Next)
    }

    /// What follows a failed attempt.
    public enum Next: Hashable, Sendable {
        case again(after: Duration)
        case givenUp
        case interrupted
    }

    public let target: ForwardingTarget
    public let attempts: Int
    public let limit: Duration
    private let environment: [String: String]
    private let wait: @Sendable (Duration) async throws -> Void
    private let current = Mutex<(run: ProgramRun?, isKilled: Bool)>((nil, false))

    /// - Parameters:
    ///   - attempts: How often a delivery is tried, at least 1.
    ///   - limit: How long a program may run before it is killed.
    public convenience init(_ target: ForwardingTarget, attempts: Int, limit: Duration) {
        self.init(target, attempts: attempts, limit: limit, environment: ProcessInfo.processInfo.environment) {
            try await Task.sleep(for: $0)
        }
    }

    /// - Parameter wait: Called to wait for the time limit of a program, and between two attempts.
    init(
        _ target: ForwardingTarget, attempts: Int, limit: Duration, environment: [String: String],
        wait: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.target = target
        self.attempts = max(1, attempts)
        self.limit = limit
        self.environment = environment
        self.wait = wait
    }

    /// Tries until it succeeds, all attempts are used up, or the calling task is cancelled. A program that is running then
    /// keeps its time limit, unless `kill` is called.
    public func forward(_ push: DeliveredPush, onEvent: (Event) -> Void) async -> Outcome {
        for attempt in 1...attempts {
            if Task.isCancelled { return .interrupted }
            let start = ContinuousClock.now
            let failure: (message: String, isFinal: Bool)?
            do throws(ForwardingTarget.Rejection) {
                let program = try target.program(for: push, attempt: attempt, environment: environment)
                failure = await run(program).map { ($0, false) }
            } catch {
                failure = (error.message, true)
            }
            guard let failure else {
                onEvent(.forwarded(attempts: attempt, ContinuousClock.now - start))
                return .forwarded
            }
            let next = next(after: attempt, isFinal: failure.isFinal)
            onEvent(.failed(attempts: attempt, why: failure.message, next))
            switch next {
            case .again(let pause): do { try await wait(pause) } catch { return .interrupted }
            case .givenUp: return .givenUp
            case .interrupted: return .interrupted
            }
        }
        return .givenUp
    }

    /// Kills the running program, if there is one, and forwards nothing more.
    public func kill() {
        let run = current.withLock { current in
            current.isKilled = true
            return current.run
        }
        run?.kill()
    }

    private func next(after attempt: Int, isFinal: Bool) -> Next {
        if isKilled { return .interrupted }
        if isFinal || attempt == attempts { return .givenUp }
        return Task.isCancelled ? .interrupted : .again(after: DeliveryForwarder.pause(after: attempt))
    }

    private var isKilled: Bool { current.withLock { $0.isKilled } }

    /// 1, 2, 4 seconds and so on, up to 30 seconds.
    static func pause(after attempt: Int) -> Duration { .seconds(min(30, 1 << min(attempt - 1, 5))) }

    /// - Returns: What went wrong; nil on success.
    private func run(_ program: ChildProgram) async -> String? {
        let run: ProgramRun
        do throws(ChildProgram.StartError) {
            run = try ProgramRun(program)
        } catch {
            return error.message
        }
        let isKilled = current.withLock { current in
            current.run = run
            return current.isKilled
        }
        if isKilled { run.kill() }
        defer { current.withLock { $0.run = nil } }
        let end = await run.end(within: limit, wait: wait)
        guard end != .exited(0) else { return nil }
        let printed = run.printed.trimmingCharacters(in: .whitespacesAndNewlines)
        return "\(name(of: program)) \(description(of: end))" + (printed.isEmpty ? "" : ": \(printed)")
    }

    private func name(of program: ChildProgram) -> String {
        if case .command = target { return "the command" }
        return "xcrun \(program.arguments.prefix(2).joined(separator: " "))"
    }

    private func description(of end: ChildProgram.End) -> String {
        switch end {
        case .exited(let status): "ended with status \(status)"
        case .signalled(let number): "was ended by the signal \(number)"
        case .overTime: "took longer than \(limit.shortText) and was killed"
        case .killed: "was killed, because the device was stopped at once"
        }
    }
}

extension Duration {
    /// `500 ms`, `30 s`.
    fileprivate var shortText: String {
        let milliseconds = wholeNanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
