import NIOCore
import NIOEmbedded
import Testing

@testable import GatewayRuntime

/// On an event loop whose time the test advances.
struct DueTimerTests {
    private let loop = EmbeddedEventLoop()
    private let calls = Counter()

    @Test func `the action is called once, at the earliest time that was set`() {
        let timer = DueTimer(on: loop)
        for milliseconds in [500, 20, 900] { timer.set(in: Int64(milliseconds)) { [calls] in calls.add() } }
        loop.advanceTime(by: .milliseconds(19))
        #expect(calls.count == 0)
        loop.advanceTime(by: .milliseconds(1))
        #expect(calls.count == 1)
        loop.advanceTime(by: .hours(48))
        #expect(calls.count == 1)
        timer.set(in: 500) { [calls] in calls.add() }
        loop.advanceTime(by: .milliseconds(500))
        #expect(calls.count == 2)
    }

    @Test func `the action is called within a day, for any time`() {
        let timer = DueTimer(on: loop)
        timer.set(in: .max) { [calls] in calls.add() }
        loop.advanceTime(by: .hours(24))
        #expect(calls.count == 1)
        withExtendedLifetime(timer) {}
    }

    @Test func `a cancelled timer calls nothing, and can be set again`() {
        let timer = DueTimer(on: loop)
        timer.set(in: 5) { [calls] in calls.add() }
        timer.cancel()
        loop.advanceTime(by: .seconds(1))
        #expect(calls.count == 0)
        timer.set(in: 5) { [calls] in calls.add() }
        loop.advanceTime(by: .seconds(1))
        #expect(calls.count == 1)
    }

    @Test func `a timer that is released calls nothing`() {
        do {
            let timer = DueTimer(on: loop)
            timer.set(in: 5) { [calls] in calls.add() }
        }
        loop.advanceTime(by: .seconds(1))
        #expect(calls.count == 0)
    }
}
