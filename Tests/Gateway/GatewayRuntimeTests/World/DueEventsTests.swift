import APNSModel
import DevelopmentCredentials
import GatewayConfiguration
import GatewayCore
import GatewayJSON
import GatewayTestSupport
import Synchronization
import SystemFiles
import Testing

@testable import GatewayRuntime
@testable import GatewayServer

/// When the delegate learns that something is due.
struct DueEventsTests {
    private func addRule(to world: LiveWorld, for milliseconds: Int64) throws {
        _ = try world.add(FaultRule(.lose, until: world.now() + milliseconds))
    }

    @Test func `what is due sooner than all before is reported, and nothing else`() throws {
        let delegate = RecordingDelegate()
        let world = LiveWorld(
            try World(WorldStart(), real: WallClock.milliseconds), environment: .sandbox, delegate: delegate)
        #expect(delegate.takeDues().isEmpty)
        try addRule(to: world, for: 600_000)
        try addRule(to: world, for: 900_000)
        let first = delegate.takeDues()
        #expect(first.count == 1 && first.allSatisfy { (1...600_000).contains($0 ?? 0) }, "\(first)")
        try addRule(to: world, for: 300_000)
        let second = delegate.takeDues()
        #expect(second.count == 1 && second.allSatisfy { (1...300_000).contains($0 ?? 0) }, "\(second)")
        // After a change of the clock the rest of the time is reported again.
        world.advanceClock(by: 200_000)
        let third = delegate.takeDues()
        #expect(third.count == 1 && third.allSatisfy { (1...100_000).contains($0 ?? 0) }, "\(third)")
        world.advanceClock(by: 100_000)
        let fourth = delegate.takeDues()
        #expect(fourth.count == 1 && fourth.allSatisfy { (1...300_000).contains($0 ?? 0) }, "\(fourth)")
        #expect(world.read { world, real in world.activeFaults(real: real).count } == 2)
        // A call that comes too early is followed by another report.
        world.passTime()
        #expect(delegate.takeDues().count == 1)
        world.setClock(.manual, to: nil)
        try addRule(to: world, for: 1000)
        #expect(delegate.takeDues().isEmpty)
        world.setClock(.real, to: nil)
        #expect(delegate.takeDues().count == 1)
        world.stopTimer()
        #expect(delegate.takeDues() == [nil])
        try addRule(to: world, for: 600_000)
        #expect(delegate.takeDues().isEmpty)
    }

    @Test func `a rule ends when its time is over, without any request`() async throws {
        var configuration = GatewayConfiguration()
        (configuration.port, configuration.controlPort) = (0, 0)
        configuration.credentials = .given(try DevelopmentCredentials.make())
        try await GatewayServer(configuration).run { gateway in
            try await ControlClient(port: gateway.controlPort).events("/api/events") { reader in
                try addRule(to: gateway.state, for: 250_000_000_000_000)  // some thousand years
                try addRule(to: gateway.state, for: 3_000)
                var ended = try await reader.next()
                while let event = ended, event.name != "fault-ended" { ended = try await reader.next() }
                #expect(ended?.data.contains(#""id":"2""#) == true, "\(ended?.data ?? "the events ended")")
                #expect(gateway.state.read { world, real in world.activeFaults(real: real).map(\.id) } == ["1"])
            }
            throw CancellationError()
        }
    }
}
