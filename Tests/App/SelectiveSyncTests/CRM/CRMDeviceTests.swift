import Foundation
import PushDispatch
import SelectiveSync
import Testing

@testable import SelectiveSync

/// Network, foreground and background.
struct CRMDeviceTests {
    /// Gives numbers, and keeps what runs out.
    private actor Time: BackgroundTime {
        private(set) var log: [String] = []
        private var expirations: [@Sendable () -> Void] = []

        func begin(_ name: String, onExpiration: @escaping @Sendable () -> Void) -> BackgroundTimeID? {
            log.append("begin \(name)")
            expirations.append(onExpiration)
            return BackgroundTimeID(rawValue: expirations.count)
        }

        func end(_ id: BackgroundTimeID) { log.append("end \(id.rawValue)") }

        func expire() { for expiration in expirations { expiration() } }
    }

    private struct Watcher: NetworkWatcher {
        let stream: AsyncStream<SyncNetwork>

        func networks() -> AsyncStream<SyncNetwork> { stream }
    }

    @Test func `offline nothing is asked, and coming back brings what was missed`() async throws {
        let world = try CRMWorld()
        await world.server.put(1, "A")
        _ = try await world.crm.store()
        await world.crm.networkChanged(to: .offline)
        #expect(world.crm.status.isOffline)
        #expect(await world.crm.refresh().isOffline)
        #expect(await world.server.calls.isEmpty)
        await world.crm.networkChanged(to: .metered)
        #expect(!world.crm.status.isOffline)
        #expect(await world.names() == ["A"])
    }

    @Test func `coming back online uploads edits and fetches hints, without a regular sync`() async throws {
        let world = try CRMWorld()
        await world.server.put(1, "A")
        await world.crm.refresh()
        await world.crm.networkChanged(to: .offline)
        try await world.crm.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" }
        await world.server.put(2, "B")
        #expect(await world.crm.handle(CRMWorld.push(2), from: .background) == .failed)
        let before = await world.server.calls.count
        await world.crm.networkChanged(to: .unmetered)
        #expect(await world.server.name(1) == "edited")
        #expect(await world.names() == ["edited", "B"])
        #expect(await !world.server.calls.dropFirst(before).contains("query"))
    }

    @Test func `the network that was reported before the store was open counts`() async throws {
        let world = try CRMWorld()
        await world.crm.networkChanged(to: .offline)
        await world.server.put(1, "A")
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .failed)
        #expect(await world.server.calls.isEmpty)
    }

    @Test func `a watcher reports the network`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: SyncNetwork.self)
        let world = try CRMWorld { $0.network = Watcher(stream: stream) }
        world.crm.start()
        continuation.yield(.offline)
        for await status in world.crm.statuses() where status.isOffline { break }
        continuation.yield(.metered)
        for await status in world.crm.statuses() where status.network == .metered { break }
    }

    @Test func `the watcher's reports count while a refresh waits for its answer`() async throws {
        let (stream, continuation) = AsyncStream.makeStream(of: SyncNetwork.self)
        let (reached, gate) = (TestSignal(), TestSignal())
        let world = try CRMWorld { $0.network = Watcher(stream: stream) }
        await world.server.put(1, "A")
        _ = try await world.crm.store()
        await world.crm.networkChanged(to: .offline)
        #expect(await world.crm.refresh().isOffline)
        await world.server.interrupt("query") {
            await reached.give()
            await gate.wait()
        }
        world.crm.start()
        continuation.yield(.metered)
        await reached.wait()
        continuation.yield(.offline)
        for await status in world.crm.statuses() where status.isOffline { break }
        await gate.give()
        continuation.yield(.unmetered)
        for await status in world.crm.statuses() where status.lastSync != nil { break }
        #expect(await world.names() == ["A"])
    }

    @Test func `a call that joins a refresh in the background brings what waits for the foreground`() async throws {
        let world = try CRMWorld { configuration in
            var heavy = SyncObject("Case", fields: ["Name"])
            heavy.waitsForForeground = true
            configuration.objects.append(heavy)
        }
        _ = try await world.crm.store()
        let (reached, gate) = (TestSignal(), TestSignal())
        await world.server.interrupt("query") {
            await reached.give()
            await gate.wait()
        }
        let first = Task { await world.crm.refresh() }
        await reached.wait()
        async let second = world.crm.cameToForeground()
        while await world.crm.refreshing?.callers != 2 { await Task.yield() }
        await gate.give()
        #expect(await first.value.putOff == ["Case"])
        let report = await second
        #expect(report.putOff.isEmpty && report.syncs["Case"]?.state == .done)
    }

    @Test func `a refused edit is not done, and does not make a refresh due`() async throws {
        let world = try CRMWorld()
        await world.crm.refresh()
        try await world.crm.create(["Name": "new"], of: "Account")
        let report = await world.crm.refresh()
        #expect(report.uploads["Account"]?.refused.count == 1 && !report.isDone)
        #expect(!world.crm.board.read(\.lifecycle.isSyncDue))
    }

    @Test(arguments: [(true, false, false), (true, true, false), (true, false, true), (false, false, false)])
    func `a path is offline, metered or not`(isConnected: Bool, isExpensive: Bool, isConstrained: Bool) {
        let network = SyncNetwork(isConnected: isConnected, isExpensive: isExpensive, isConstrained: isConstrained)
        #expect(network == (!isConnected ? .offline : isExpensive || isConstrained ? .metered : .unmetered))
    }

    @Test func `records that wait for the foreground are fetched there`() async throws {
        let world = try CRMWorld { $0.objects[0].waitsForForeground = true }
        await world.server.put(1, "A")
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .failed)
        let report = await world.crm.refresh()
        #expect(report.isDone && report.putOff == ["Account"] && report.syncs.isEmpty)
        #expect(await world.server.calls.isEmpty)
        #expect(await world.crm.cameToForeground().putOff.isEmpty)
        #expect(await world.names() == ["A"])
        await world.crm.wentToBackground()
        await world.server.put(2, "B")
        #expect(await world.crm.handle(CRMWorld.push(2), from: .background) == .failed)
    }

    @Test func `records that wait for Wi-Fi are put off, and synced when it is there`() async throws {
        let world = try CRMWorld { $0.objects[0].network = .unmetered }
        await world.server.put(1, "A")
        _ = try await world.crm.store()
        await world.crm.networkChanged(to: .metered)
        #expect(await world.crm.refresh().putOff == ["Account"])
        await world.crm.networkChanged(to: .unmetered)
        #expect(await world.names() == ["A"])
    }

    @Test func `an upload holds the system's time, and ends when that is over`() async throws {
        let time = Time()
        let world = try CRMWorld { $0.backgroundTime = time }
        await world.server.put(1, "A")
        await world.crm.refresh()
        try await world.crm.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" }
        await world.server.interrupt("fetch") { await time.expire() }
        #expect(await world.crm.upload()["Account"]?.state == .stopped)
        #expect(await world.server.name(1) == "A")
        #expect(await time.log == ["begin sync", "end 1", "begin upload", "end 2"])
        await world.crm.wentToBackground()
        #expect(await world.server.name(1) == "edited")
        #expect(await time.log.suffix(2) == ["begin upload", "end 3"])
    }

    @Test func `time that is over before the work has begun stops the work`() async {
        struct NoTime: BackgroundTime {
            func begin(_ name: String, onExpiration: @escaping @Sendable () -> Void) -> BackgroundTimeID? {
                onExpiration()
                return nil
            }
            func end(_ id: BackgroundTimeID) {}
        }
        let wasCancelled = await NoTime().hold("x") {
            // Cancellation is seen at the latest here.
            try? await Task.sleep(nanoseconds: .max)
            return Task.isCancelled
        }
        #expect(wasCancelled)
    }

    @Test func `a refresh that two callers wait for ends when both are cancelled`() async throws {
        let world = try CRMWorld()
        _ = try await world.crm.store()
        let (reached, gate) = (TestSignal(), TestSignal())
        await world.server.interrupt("query") {
            await reached.give()
            await gate.wait()
        }
        let first = Task { await world.crm.refresh() }
        await reached.wait()
        let second = Task { await world.crm.cameToForeground() }
        while await world.crm.refreshing?.callers != 2 { await Task.yield() }
        first.cancel()
        while await world.crm.refreshing?.callers != 1 { await Task.yield() }
        let run = try #require(await world.crm.refreshing)
        #expect(!run.task.isCancelled)
        second.cancel()
        while await world.crm.refreshing != nil { await Task.yield() }
        #expect(run.task.isCancelled)
        await gate.give()
        #expect(await !first.value.isDone)
        #expect(await !second.value.isDone)
    }

    @Test func `a device token that arrives registers the device`() async throws {
        let world = try CRMWorld()
        _ = try await world.crm.store()
        await world.crm.received(deviceToken: [UInt8](repeating: 1, count: 32))
        #expect(await world.server.devices == [.test(900)])
        #expect(await world.preferences.registration(of: CRMWorld.user) == .test(900))
    }
}
