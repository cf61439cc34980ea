import APNSModel
import APNSTransport
import NIOCore
import Synchronization
import Testing

@testable import APNSProvider

struct BulkRunTests {
    private struct Broken: Error {}

    private final class Counter: Sendable {
        let count = Atomic(0)
    }

    @Test func `a notification counts in the window until its result is read`() async throws {
        try await QueueingLoop.with { queueing in
            try await queueing.inOneTurn(window: 4) { run, loop, output in
                for number in 0..<4 {
                    #expect(!run.needsPause)
                    run.take(Submission(TestNotifications.notification(number)))
                }
                #expect(run.needsPause)
                loop.stop(run.parts[0].submissions)
                #expect(output.count == 4)
                #expect(run.needsPause)
                output.read(1)
                #expect(!run.needsPause)
            }
        }
    }

    @Test func `a submission that is given twice stops the process with a message`() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try await QueueingLoop.with { queueing in
                try await queueing.inOneTurn(window: 4) { run, _, _ in
                    let submission = Submission(TestNotifications.notification(1))
                    run.take(submission)
                    run.take(submission)
                }
            }
        }
        #expect(String(decoding: result.standardErrorContent, as: UTF8.self).contains("sent once"))
    }

    @Test func `a notification with an error is unsent and never written`() async throws {
        try await QueueingLoop.with { queueing in
            try await queueing.inOneTurn { run, _, _ in
                run.take(Submission(TestNotifications.notification(0, payload: "{")))
                run.sourceEnded(nil)
            }
            let (results, error) = await queueing.readToEnd()
            #expect(error == nil && results.count == 1)
            guard case .unsent(let error) = results.first?.outcome else {
                Issue.record("\(results)")
                return
            }
            #expect(error.code == .invalidNotification && error.isSafeToRetry)
            #expect(results.first?.attempts == 0)
        }
    }

    @Test func `without validation a notification with an error is queued`() async throws {
        try await QueueingLoop.with { queueing in
            try await queueing.inOneTurn(validates: false) { run, _, output in
                run.take(Submission(TestNotifications.notification(0, payload: "{")))
                run.parts[0].turnEnded(of: run)
                #expect(output.count == 0)
            }
        }
    }

    @Test func `results of one turn are handed out together, at the latest 64 of them`() async throws {
        try await QueueingLoop.with { queueing in
            try await queueing.inOneTurn(window: 1000) { run, _, output in
                for _ in 0..<63 { run.take(Submission(TestNotifications.invalid())) }
                #expect(output.count == 0)
                run.take(Submission(TestNotifications.invalid()))
                #expect(output.count == 64)
                run.take(Submission(TestNotifications.invalid()))
                run.parts[0].turnEnded(of: run)
                #expect(output.count == 65)
            }
        }
    }

    @Test func `a result without a connection is handed out in the next turn, while the source waits`() async throws {
        try await QueueingLoop.with { queueing in
            try await queueing.inOneTurn { run, _, output in
                run.take(Submission(TestNotifications.invalid()))
                #expect(output.count == 0)
            }
            try await queueing.inOneTurn { _, _, output in #expect(output.count == 1) }
        }
    }

    @Test func `stopping gives queued notifications back, and later ones too`() async throws {
        try await QueueingLoop.with { queueing in
            try await queueing.inOneTurn { run, _, _ in
                run.take(Submission(TestNotifications.notification(0)))
                run.stop()
                run.stop()
                #expect(run.isStopped)
                run.take(Submission(TestNotifications.notification(1)))
                run.sourceEnded(nil)
            }
            let (results, error) = await queueing.readToEnd()
            #expect(error == nil)
            #expect(results.map(\.index) == [0, 1])
            #expect(results.allSatisfy { $0.outcome == .unsent(.stopped) })
        }
    }

    @Test func `stopping leaves the notifications of other runs queued`() async throws {
        try await QueueingLoop.with { queueing in
            try await queueing.inOneTurn { run, loop, output in
                let other = BulkRun(
                    lanes: queueing.lanes, output: BulkOutput(), window: 10, timeout: .seconds(1), validates: true)
                run.take(Submission(TestNotifications.notification(0)))
                other.stop()
                run.parts[0].turnEnded(of: run)
                #expect(output.count == 0)
                run.stop()
                #expect(output.count == 1)
            }
        }
    }

    @Test func `a closed provider stops the run`() async throws {
        try await QueueingLoop.with { queueing in
            try await queueing.inOneTurn { run, loop, _ in
                run.take(Submission(TestNotifications.notification(0)))
                _ = loop.close()
                run.take(Submission(TestNotifications.notification(1)))
                #expect(run.isStopped)
                run.sourceEnded(nil)
            }
            let (results, _) = await queueing.readToEnd()
            #expect(results.map(\.index) == [0, 1])
            #expect(results.allSatisfy { $0.outcome == .unsent(.closedProvider) })
        }
    }

    @Test func `the end comes after the last result`() async throws {
        try await QueueingLoop.with { queueing in
            try await queueing.inOneTurn { run, loop, _ in
                run.take(Submission(TestNotifications.notification(0)))
                run.sourceEnded(Broken())
                loop.stop(run.parts[0].submissions)
            }
            let (results, error) = await queueing.readToEnd()
            #expect(results.count == 1)
            #expect(error is Broken)
        }
    }

    @Test(arguments: [false, true])
    func `the cancellation of the source is its error only if the send was not stopped`(isStopped: Bool) async throws {
        try await QueueingLoop.with { queueing in
            try await queueing.inOneTurn { run, _, _ in
                if isStopped { run.stop() }
                run.sourceEnded(CancellationError())
            }
            #expect(await queueing.readToEnd().error is CancellationError == !isStopped)
        }
    }

    @Test func `a source that is read after the stop is cancelled`() async throws {
        try await QueueingLoop.with { queueing in
            let sourceTask = Task { for await _ in AsyncStream<Int>.makeStream().stream {} }
            try await queueing.inOneTurn { run, _, _ in
                run.stop()
                run.start(sourceTask)
            }
            await sourceTask.value
        }
    }

    @Test func `a source waits until a quarter of the window is free`() async throws {
        try await QueueingLoop.with { queueing in
            let read = Counter()
            let executor = EventLoopExecutor(queueing.eventLoop)
            await Task(executorPreference: executor) { [queueing] in
                let output = queueing.output
                let run = BulkRun(
                    lanes: queueing.lanes, output: output, window: 8, timeout: .seconds(1), validates: true)
                for _ in 0..<8 { run.take(Submission(TestNotifications.invalid())) }
                let bound = NIOLoopBound(run, eventLoop: queueing.eventLoop)
                /// Reads one result a turn, so that a source resumed too early is seen.
                @Sendable func readOne(left: Int) {
                    guard left > 0 else { return }
                    read.count.add(1, ordering: .relaxed)
                    output.read(1)
                    bound.value.outputRead()
                    queueing.eventLoop.execute { queueing.eventLoop.execute { readOne(left: left - 1) } }
                }
                queueing.eventLoop.execute { readOne(left: 2) }
                await run.pause()
                #expect(read.count.load(ordering: .relaxed) == 2)
            }.value
        }
    }
}
