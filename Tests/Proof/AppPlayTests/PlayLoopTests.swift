import PushDispatch
import Testing

@testable import AppPlay

/// A loop whose real time stands still, so that only `advance` moves its virtual time.
@Suite(.timeLimit(.minutes(1))) struct PlayLoopTests {
    private func withLoop(_ body: (PlayLoop, PlayProcess) async throws -> Void) async throws {
        let loop = PlayLoop(real: { 0 })
        let process = PlayProcess(loop)
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(loop, process))
        } catch {
            result = .failure(error)
        }
        await loop.end { process.end() }
        try result.get()
    }

    /// Only the loop's thread writes, and an order has ended before the test reads.
    private final class Log: @unchecked Sendable {
        var lines: [String] = []
        var deaf: CheckedContinuation<Void, Never>?
    }

    @Test func `what sleeps wakes when time passes, in order, and not before`() async throws {
        try await withLoop { loop, process in
            let log = Log()
            for (name, moment) in [("b", 20), ("a", 10), ("c", 31)] as [(String, Int64)] {
                process.tasks {
                    try? await process.sleep(until: DispatchMoment(milliseconds: moment))
                    log.lines.append("\(name) \(loop.now)")
                }
            }
            #expect(await loop.wait() == .done)
            #expect(log.lines.isEmpty)
            #expect(await loop.advance(byMilliseconds: 30) == .done)
            #expect(log.lines == ["a 10", "b 20"])
            #expect(await loop.advance(byMilliseconds: 1) == .done)
            #expect(log.lines == ["a 10", "b 20", "c 31"])
        }
    }

    @Test func `what waits for virtual time is given up`() async throws {
        try await withLoop { loop, process in
            let log = Log()
            let sleeping = await loop.run { _ = try? await process.sleep(until: DispatchMoment(milliseconds: 1)) }
            #expect(sleeping == .stuck)
            // A task that ignores its cancellation does not stop the play.
            let deaf = await loop.run { await withCheckedContinuation { log.deaf = $0 } }
            #expect(deaf == .stuck)
            let next = await loop.run { log.deaf?.resume() }
            #expect(next == .done)
        }
    }

    @Test func `waiting ends when the last request has ended`() async throws {
        try await withLoop { loop, process in
            let (log, gate) = (Log(), AsyncStream.makeStream(of: Void.self))
            process.tasks {
                _ = await process.request { for await _ in gate.stream {} }
                log.lines.append("answered")
            }
            let ending1 = await loop.run {}
            #expect(ending1 == .done)
            async let ending = loop.wait()
            gate.continuation.finish()
            #expect(await ending == .done)
            #expect(log.lines == ["answered"])
        }
    }

    @Test func `the end of a process cancels its requests and its sleeps, and refuses new ones`() async throws {
        try await withLoop { loop, process in
            let log = Log()
            process.tasks {
                let answer = await process.request {
                    (try? await Task.sleep(nanoseconds: 3_600_000_000_000)) != nil
                }
                log.lines.append("request \(answer == nil)")
            }
            process.tasks {
                do {
                    try await process.sleep(until: DispatchMoment(milliseconds: 1_000))
                    log.lines.append("slept")
                } catch { log.lines.append("sleep ended") }
            }
            _ = await loop.run {}
            let ended = await loop.run { process.end() }
            #expect(ended == .done)
            #expect(await loop.wait() == .done)
            #expect(Set(log.lines) == ["request true", "sleep ended"])
            _ = await loop.run {
                let answer = await process.request { 1 }
                log.lines = ["\(answer == nil)"]
            }
            #expect(log.lines == ["true"])
        }
    }

    @Test func `an interruption ends the step that runs, and all later ones`() async throws {
        try await withLoop { loop, process in
            process.tasks { _ = await process.request { _ = try? await Task.sleep(nanoseconds: 3_600_000_000_000) } }
            _ = await loop.run {}
            async let ending = loop.wait()
            loop.interrupt()
            #expect(await ending == .interrupted)
            let ending2 = await loop.run {}
            #expect(ending2 == .interrupted)
        }
    }
}
