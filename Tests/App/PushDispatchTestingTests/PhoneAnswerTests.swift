import Foundation
import PushDispatch
import PushDispatchTesting
import Testing

/// Whether the app answers once, in time and truthfully.
struct PhoneAnswerTests {
    private let counter = Counter()

    @Test func `a handler takes simulated time and no real time`() async throws {
        let handler = CountingHandler { _, context in
            await context.willSendRequest()
            return HandlerReport(changed: 1)
        }
        let phone = TestPhone { clock in
            PhoneApp(
                PushDispatcher(
                    handler: CountingHandler { hint, context in
                        try await clock.sleep(seconds: 12.5)
                        return try await handler.handle(hint, context)
                    }, pending: MemoryPendingStore(), clock: clock))
        }
        let report = try await phone.receive(.silent())
        #expect(try report.result == .newData)
        #expect(try report.milliseconds == 12_500)
        #expect(phone.clock.date.timeIntervalSince(phone.clock.start) == 12.5)
    }

    @Test func `a handler that sleeps too long is stopped at 24 seconds, and its records are kept`() async throws {
        let pending = MemoryPendingStore()
        let phone = TestPhone { clock in
            let handler = CountingHandler { _, _ in
                try await clock.sleep(seconds: 40)
                return HandlerReport(changed: 1)
            }
            return PhoneApp(handler.dispatcher(clock, pending: pending))
        }
        let report = try await phone.receive(.silent())
        #expect(try report.result == .failed)
        #expect(try report.milliseconds == 24_000)
        #expect(try await pending.pending(of: "Account").map(\.record) == [.test(1)])
        try report.check()
    }

    @Test func `a push is answered even if its handler hangs and ignores cancellation`() async throws {
        let pending = MemoryPendingStore()
        let phone = TestPhone { clock in
            let handler = CountingHandler { _, _ in
                await clock.hang()
                return HandlerReport(changed: 1)
            }
            return PhoneApp(handler.dispatcher(clock, pending: pending))
        }
        let report = try await phone.receive(.silent())
        #expect(try report.result == .failed)
        #expect(try report.milliseconds == 25_000)
        #expect(await pending.list.count == 1)
    }

    @Test func `the limit of a push that is over does not delay the next one`() async throws {
        let phone = TestPhone { clock in
            let handler = CountingHandler { _, _ in
                try await clock.sleep(seconds: 18)
                return HandlerReport(changed: 1)
            }
            return PhoneApp(handler.dispatcher(clock))
        }
        for number in 1...3 { #expect(try await phone.receive(.silent(number)).milliseconds == 18_000) }
        #expect(phone.clock.now().milliseconds == 54_000)
    }

    @Test func `a completion that is never called is a problem, and the app is terminated`() async throws {
        let phone = TestPhone(patienceMilliseconds: 1) { _ in PhoneApp(fetch: { _, _ in }) }
        let report = try await phone.receive(.silent())
        #expect(report.problems.map(\.code) == [.neverAnswered])
        #expect(report.answers.isEmpty)
        #expect(phone.clock.now().milliseconds == 30_000)
        #expect(await phone.app == .terminated)
        let error = #expect(throws: PhoneError.self) { try report.result }
        #expect(error?.detail.contains("within 30 seconds") == true)
        await #expect(throws: PhoneError.self) { try await phone.check() }
    }

    @Test func `a completion that is called twice is a problem`() async throws {
        let phone = TestPhone { _ in
            PhoneApp(fetch: { _, completion in
                completion(.newData)
                completion(.failed)
            })
        }
        let report = try await phone.receive(.silent())
        #expect(report.answers.map(\.result) == [.newData])
        #expect(report.problems.map(\.code) == [.answeredTwice])
        #expect(report.problems.first?.description.contains("with failed") == true)
    }

    @Test(.timeLimit(.minutes(10)))
    func `a completion after the time is up is a problem of the phone`() async throws {
        let (calls, continuation) = AsyncStream.makeStream(of: Void.self)
        let phone = TestPhone { clock in
            PhoneApp(fetch: { _, completion in
                Task {
                    try await clock.sleep(seconds: 45)
                    completion(.newData)
                    continuation.finish()
                }
            })
        }
        let report = try await phone.receive(.silent())
        #expect(report.problems.map(\.code) == [.neverAnswered])
        try await phone.pass(minutes: 1)
        for await _ in calls {}
        #expect(await phone.problems.map(\.code) == [.neverAnswered, .answeredLate])
    }

    @Test func `the other callbacks have to be answered too`() async throws {
        let phone = TestPhone(.foreground, patienceMilliseconds: 1) { _ in
            PhoneApp(fetch: nil, willPresent: { _, shown in shown(true) }, didReceive: { _, _ in })
        }
        #expect(try await phone.receive(.visible()).isShown)
        #expect(try await phone.tap().problems.map(\.entryPoint) == [.tap])
    }

    @Test func `an app without the fetch callback loses the push, one without willPresent shows nothing`() async throws
    {
        let phone = TestPhone(.foreground) { _ in PhoneApp(fetch: nil) }
        let silent = try await phone.receive(.silent())
        #expect(silent.problems.map(\.code) == [.noCallback] && silent.callbacks.isEmpty)
        let error = #expect(throws: PhoneError.self) { try silent.result }
        #expect(error?.detail.contains("implement it") == true)
        let visible = try await phone.receive(.visible())
        #expect(!visible.isShown && visible.callbacks.isEmpty)
    }

    @Test(arguments: [
        (PushResult.newData, true, [PhoneProblem.Code]()), (.newData, false, [.untruthful]), (.noData, false, []),
        (.noData, true, [.untruthful]), (.failed, false, []), (.failed, true, [.untruthful]),
    ])
    func `an answer is compared with the change of the app's contents`(
        result: PushResult, changes: Bool, problems: [PhoneProblem.Code]
    ) async throws {
        let phone = TestPhone { _ in
            PhoneApp(fetch: { _, completion in
                if changes { counter.next() }
                completion(result)
            }).comparing { counter.value }
        }
        #expect(try await phone.receive(.silent()).problems.map(\.code) == problems)
    }

    @Test func `noData is truthful for the second callback of a push that brought a change`() async throws {
        let handler = CountingHandler { _, _ in
            counter.next()
            return HandlerReport(changed: 1)
        }
        let phone = TestPhone(.foreground, secondCallback: .apart(milliseconds: 100)) {
            handler.app($0).comparing { counter.value }
        }
        let report = try await phone.receive(.visible(isSilentToo: true))
        #expect(report.answers.map(\.result) == [.newData, .noData])
        try report.check()
    }

    @Test func `a report has a description`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone(.terminated) { handler.app($0) }
        #expect(
            try await phone.receive(.silent()).description
                == "launched the app; didReceiveRemoteNotification: newData after 0 ms")
        try await phone.move(to: .forceQuit)
        let held = try await phone.receive(.silent()).description
        #expect(held.hasPrefix("held; the user force-quit the app"))
    }
}
