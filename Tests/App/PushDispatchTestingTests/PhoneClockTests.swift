import PushDispatch
import PushDispatchTesting
import Testing

struct PhoneClockTests {
    private let clock = PhoneClock()

    private func moment(_ seconds: Int64) -> DispatchMoment { DispatchMoment(milliseconds: seconds * 1_000) }

    @Test func `a sleep ends without real time, and simulated time has passed`() async throws {
        try await clock.sleep(seconds: 90)
        try await clock.sleep(until: moment(60))
        #expect(clock.now() == moment(90))
    }

    @Test func `a sleep ends when its task is cancelled`() async {
        let sleeping = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { try await clock.sleep(seconds: 1) }
                group.cancelAll()
                try await group.next()
            }
        }
        await #expect(throws: CancellationError.self) { try await sleeping.value }
    }

    @Test func `a limit acts once, before a longer sleep ends`() async throws {
        let order = Order()
        let limit = clock.schedule(at: moment(10)) {
            order.add("limit at \(clock.now().milliseconds)")
            return false
        }
        try await clock.sleep(seconds: 30)
        order.add("sleep over at \(clock.now().milliseconds)")
        await limit.value
        #expect(order.all == ["limit at 10000", "sleep over at 30000"])
    }

    @Test func `a cancelled limit does not act`() async throws {
        let order = Order()
        let limit = clock.schedule(at: moment(10)) {
            order.add("limit")
            return true
        }
        limit.cancel()
        await limit.value
        try await clock.sleep(seconds: 30)
        #expect(order.all.isEmpty)
    }

    @Test func `a limit at a past moment acts at once`() async throws {
        try await clock.sleep(seconds: 5)
        let order = Order()
        await clock.schedule(at: moment(1)) {
            order.add("limit")
            return true
        }.value
        #expect(order.all == ["limit"])
        #expect(clock.now() == moment(5))
    }

    @Test func `a loop of the app moves no time, and continues when time passes`() async throws {
        let (rounds, continuation) = AsyncStream.makeStream(of: Int64.self)
        let phone = TestPhone { clock in
            Task {
                while true {
                    try await clock.sleep(seconds: 900)
                    continuation.yield(clock.now().milliseconds)
                }
            }
            return CountingHandler { _, _ in
                try await clock.sleep(seconds: 3)
                return HandlerReport(changed: 1)
            }.app(clock)
        }
        #expect(try await phone.receive(.silent()).milliseconds == 3_000)
        #expect(phone.clock.now() == moment(3))
        try await phone.pass(hours: 1)
        #expect(phone.clock.now() == moment(3_603))
        // The loop may not have begun before the hour was over.
        let passing = Task {
            while !Task.isCancelled {
                try await phone.pass(hours: 1)
                await Task.yield()
            }
        }
        var iterator = rounds.makeAsyncIterator()
        let first = try #require(await iterator.next())
        passing.cancel()
        _ = await passing.result
        #expect(first >= 900_000)
    }

    @Test func `pushes that arrive together are answered once each`() async throws {
        let handler = CountingHandler()
        let phone = TestPhone(budget: .unlimited) { handler.app($0) }
        let results = try await withThrowingTaskGroup(of: PushResult.self) { group in
            for number in 1...10 { group.addTask { try await phone.receive(.silent(number)).result } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(results == Array(repeating: .newData, count: 10))
        #expect(handler.count == 10)
        #expect(await phone.launches == 1)
        #expect(await phone.app == .suspended)
        try await phone.check()
    }
}
