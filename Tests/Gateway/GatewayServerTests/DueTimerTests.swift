import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import DevelopmentCredentials
@testable import GatewayConfiguration
@testable import GatewayControl
@testable import GatewayJSON
@testable import GatewayListener
@testable import GatewayRuntime
@testable import GatewayServer
@testable import SystemFiles

/// On a loop whose time is moved by hand.
struct DueTimerTests {
    private final class Bell: Sendable {
        private let count = Mutex(0)
        var rings: Int { count.withLock { $0 } }
        func ring() { count.withLock { $0 += 1 } }
    }

    @Test func `it rings at the soonest time that was set, and once`() {
        let (loop, bell) = (EmbeddedEventLoop(), Bell())
        let alarm = DueTimer(on: loop) { bell.ring() }
        for milliseconds in [500, 20, 900] { alarm.set(in: Int64(milliseconds)) }
        loop.advanceTime(by: .milliseconds(19))
        #expect(bell.rings == 0)
        loop.advanceTime(by: .milliseconds(1))
        #expect(bell.rings == 1)
        loop.advanceTime(by: .hours(48))
        #expect(bell.rings == 1)
        alarm.set(in: 500)
        loop.advanceTime(by: .milliseconds(500))
        #expect(bell.rings == 2)
    }

    @Test func `it rings within a day, however far away a thing is`() {
        let (loop, bell) = (EmbeddedEventLoop(), Bell())
        let alarm = DueTimer(on: loop) { bell.ring() }
        alarm.set(in: .max)
        loop.advanceTime(by: .hours(24))
        #expect(bell.rings == 1)
        withExtendedLifetime(alarm) {}
    }

    @Test func `one that nobody has any more does not ring`() {
        let (loop, bell) = (EmbeddedEventLoop(), Bell())
        do {
            let alarm = DueTimer(on: loop) { bell.ring() }
            alarm.set(in: 5)
        }
        loop.advanceTime(by: .seconds(1))
        #expect(bell.rings == 0)
    }
}
