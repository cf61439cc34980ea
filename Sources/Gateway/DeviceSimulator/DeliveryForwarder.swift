import APNSModel
import Foundation
import Synchronization

/// Hands each delivery on to a program, one at a time and in the order in which they came.
///
/// What fails is tried again; the next delivery waits meanwhile, and the gateway keeps what comes after it. What still
/// fails is given up and told.
public final class DeliveryForwarder: Sendable {
    /// What became of one delivery.
    public enum Outcome: Hashable, Sendable {
        case forwarded
        case givenUp
        /// The device was told to stop before it was handed on.
        case interrupted
    }

    public enum Event: Hashable, Sendable {
        case forwarded(attempts: Int, Duration)
        case failed(attempts: Int, why: String, Next)
    }

    /// What follows a try that failed.
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
    ///   - attempts: How often a delivery is tried, from 1.
    ///   - limit: What a program may take before it is killed.
    public convenience init(_ target: ForwardingTarget, attempts: Int, limit: Duration) {
        self.init(target, attempts: attempts, limit: limit, environment: ProcessInfo.processInfo.environment) {
            try await Task.sleep(for: $0)
        }
    }

    /// - Parameter wait: Passes the time of a program and between two tries.
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

    /// Tries until it is done, all attempts are used up, or the calling task is cancelled. A program that has begun when
    /// that happens has the time that it always has, unless `kill` is called.
    public func forward(_ push: DeliveredPush, onEvent: (Event) -> Void) async -> Outcome {
        for attempt in 1...attempts {
            if Task.isCancelled { return .interrupted }
            let start = ContinuousClock.now
            let failure: (words: String, isFinal: Bool)?
            do throws(ForwardingTarget.Refusal) {
                let program = try target.program(for: push, attempt: attempt, environment: environment)
                failure = await run(program).map { ($0, false) }
            } catch {
                failure = (error.words, true)
            }
            guard let failure else {
                onEvent(.forwarded(attempts: attempt, ContinuousClock.now - start))
                return .forwarded
            }
            let next = next(after: attempt, isFinal: failure.isFinal)
            onEvent(.failed(attempts: attempt, why: failure.words, next))
            switch next {
            case .again(let pause): do { try await wait(pause) } catch { return .interrupted }
            case .givenUp: return .givenUp
            case .interrupted: return .interrupted
            }
        }
        return .givenUp
    }

    /// Ends the program that runs, if one does, and all that would come after it.
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

    /// 1, 2, 4 seconds and so on, up to half a minute.
    static func pause(after attempt: Int) -> Duration { .seconds(min(30, 1 << min(attempt - 1, 5))) }

    /// - Returns: What went wrong; nil for nothing.
    private func run(_ program: ChildProgram) async -> String? {
        let run: ProgramRun
        do throws(ChildProgram.StartError) {
            run = try ProgramRun(program)
        } catch {
            return error.words
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
        return "\(name(of: program)) \(words(for: end))" + (printed.isEmpty ? "" : ": \(printed)")
    }

    private func name(of program: ChildProgram) -> String {
        if case .command = target { return "the command" }
        return "xcrun \(program.arguments.prefix(2).joined(separator: " "))"
    }

    private func words(for end: ChildProgram.End) -> String {
        switch end {
        case .exited(let status): "ended with status \(status)"
        case .signalled(let number): "was ended by the signal \(number)"
        case .overTime: "took longer than \(limit.inWords) and was killed"
        case .killed: "was killed, because the device was told twice to stop"
        }
    }
}

extension Duration {
    /// `500 ms`, `30 s`.
    fileprivate var inWords: String {
        let milliseconds = wholeNanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(milliseconds) ms"
    }
}
