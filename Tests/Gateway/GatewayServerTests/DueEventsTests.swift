import APNSModel
import GatewayCore
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

/// When the shell is told that something is due.
struct DueEventsTests {
    /// What was told, in milliseconds.
    private final class Told: Sendable {
        private let waits = Mutex<[Int64]>([])

        func add(_ wait: Int64) { waits.withLock { $0.append(wait) } }

        func take() -> [Int64] {
            waits.withLock { waits in
                defer { waits = [] }
                return waits
            }
        }
    }

    private func lose(_ state: LiveWorld, for milliseconds: Int64) throws {
        _ = try state.add(FaultRule(.lose, until: state.now() + milliseconds))
    }

    @Test func `what is due sooner than all before is told, and nothing else`() throws {
        let real = WallClock.milliseconds
        let state = LiveWorld(try World(WorldStart(), real: real), environment: .sandbox)
        let told = Told()
        state.onDue { told.add($0) }
        #expect(told.take().isEmpty)
        try lose(state, for: 600_000)
        try lose(state, for: 900_000)
        let first = told.take()
        #expect(first.count == 1 && first.allSatisfy { (1...600_000).contains($0) }, "\(first)")
        try lose(state, for: 300_000)
        let second = told.take()
        #expect(second.count == 1 && second.allSatisfy { (1...300_000).contains($0) }, "\(second)")
        // The time that passes by itself is told anew after a jump of the clock.
        state.advanceClock(by: 200_000)
        let third = told.take()
        #expect(third.count == 1 && third.allSatisfy { (1...100_000).contains($0) }, "\(third)")
        state.advanceClock(by: 100_000)
        let fourth = told.take()
        #expect(fourth.count == 1 && fourth.allSatisfy { (1...300_000).contains($0) }, "\(fourth)")
        #expect(state.read { world, real in world.activeFaults(real: real).count } == 2)
        // Who comes too soon is told again.
        state.passTime()
        #expect(told.take().count == 1)
        state.setClock(.manual, to: nil)
        try lose(state, for: 1000)
        #expect(told.take().isEmpty)
        state.setClock(.real, to: nil)
        #expect(told.take().count == 1)
        state.onDue(nil)
        #expect(told.take().isEmpty)
    }

    @Test func `a rule ends when its time is over, with nobody who asks`() async throws {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort) = (0, 0)
        configuration.credentials = .given(try DevelopmentCredentials.make())
        try await GatewayServer(configuration).run { gateway in
            try await ControlClient(port: gateway.controlPort).events("/api/events") { reader in
                try lose(gateway.state, for: 250_000_000_000_000)  // some thousand years
                try lose(gateway.state, for: 5)
                var ended = try await reader.next()
                while let event = ended, event.name != "fault-ended" { ended = try await reader.next() }
                #expect(ended?.data.contains(#""id":"2""#) == true, "\(ended?.data ?? "the events ended")")
                #expect(gateway.state.read { world, real in world.activeFaults(real: real).map(\.id) } == ["1"])
            }
            throw CancellationError()
        }
    }
}
