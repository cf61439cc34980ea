import APNSModel
import APNSProvider
import DevelopmentCredentials
import Dispatch
import Foundation
import GatewayConfiguration
import GatewayJSON
import GatewayTestSupport
import GatewayTesting
import SystemFiles
import TestSupport
import Testing

@testable import GatewayCore
@testable import GatewayRuntime
@testable import GatewayServer

@Suite(.timeLimit(.minutes(10)))
struct StoreWorldsTests {
    private static let device = String(repeating: "ab12", count: 16)

    /// Sends without a connection, as the inspector page does.
    private func send(_ gateway: TestGateway, to world: String, _ token: String) async throws -> ControlClient.Answer {
        let body =
            #"{"token":"\#(token)","apns-topic":"\#(gateway.topic)","apns-push-type":"alert","apns-priority":"10","#
            + #""payload":{"aps":{"alert":"a"}}}"#
        return try await gateway.control.call("POST", "/w/\(world)/api/notifications", body)
    }

    @Test func `every world is there again, made as it was`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            let ids = try await withStoredGateway(file) { gateway async throws in
                let made = try await gateway.control.call(
                    "POST", "/api/worlds",
                    #"{"name":"orders","environment":"production","devices":"strict","seed":5,"clock":{"mode":"manual"}}"#
                )
                #expect(made.status == 201)
                for world in ["orders", "other"] {
                    #expect(try await send(gateway, to: world, Self.device).status == 201)
                }
                return gateway.running.worlds.all.map { state in
                    state.read { world, _ in world.notifications().entries.map(\.uniqueID) }
                }
            }
            #expect(ids.map(\.count) == [0, 1, 1])
            try await withStoredGateway(file) { gateway async throws in
                let worlds = gateway.running.worlds.all
                #expect(worlds.map(\.name.text) == ["default", "orders", "other"])
                #expect(worlds.map { $0.read { world, _ in world.notifications().entries.map(\.uniqueID) } } == ids)
                #expect(worlds.map(\.environment) == [.sandbox, .production, .sandbox])
                #expect(worlds[1].clock().mode == .manual)
                #expect(worlds[1].read { world, _ in world.notifications().entries.map(\.isFromControl) } == [true])
                let again = try await send(gateway, to: "orders", Self.device)
                #expect(again.body.contains("BadDeviceToken"))
                worlds[1].reset()
                #expect(worlds[1].read { world, _ in world.settings.unknownDevices } == .strict)
                #expect(worlds[1].read { world, _ in world.start.settings.seed } == 5)
            }
        }
    }

    @Test func `a removed world is gone for good, and its name is free for another`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            try await withStoredGateway(file) { gateway async throws in
                for world in ["gone", "anew"] {
                    #expect(try await send(gateway, to: world, Self.device).status == 201)
                    #expect(try await gateway.control.call("DELETE", "/api/worlds/\(world)").status == 204)
                }
                #expect(try await gateway.control.call("GET", "/w/anew/api/notifications").status == 404)
                #expect(try await send(gateway, to: "anew", "cd34").status == 201)
            }
            try await withStoredGateway(file) { gateway async throws in
                #expect(gateway.running.worlds.all.map(\.name.text) == ["anew", "default"])
                #expect(try await gateway.total("/w/anew/api/notifications") == 1)
            }
        }
    }

    @Test func `what is decided in a world that is just removed waits for nothing`() async throws {
        try await withFolder { folder in
            try await withStoredGateway(folder + "/gateway.sqlite") { gateway async throws in
                _ = try await send(gateway, to: "orders", Self.device)
                let state = try #require(gateway.running.worlds.all.first { $0.name.text == "orders" })
                #expect(try await gateway.control.call("DELETE", "/api/worlds/orders").status == 204)
                var connection = GatewayConnection(environment: .sandbox, role: .control)
                let request = CompleteRequest(stream: 1, head: RequestHead(path: "/3/device/ab12"), body: [])
                let (answers, answer) = AsyncStream.makeStream(of: Bool.self)
                _ = state.judge([request], on: &connection) { answer.yield($0) }
                for await isStored in answers.prefix(1) { #expect(isStored) }
                #expect(await state.stored())
            }
        }
    }

    @Test func `a world that cannot be stored is refused, and the others go on`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            try await withStoredGateway(file) { gateway async throws in
                try await gateway.push(to: Self.device, "first")
                let storeQueue = try #require(gateway.running.state.storeQueue)
                try storeQueue.limitGrowth(toPages: 0)
                var status = 201
                for number in 0..<200 where status == 201 {
                    status = try await gateway.control.call("POST", "/api/worlds", #"{"name":"w\#(number)"}"#).status
                }
                #expect(status == 503)
                try storeQueue.limitGrowth(toPages: nil)
                gateway.running.worlds.forEach { $0.retryStore() }
                await storeQueue.finish()
                #expect(try await gateway.push(to: Self.device, "second").isAccepted)
                #expect(try await send(gateway, to: "late", Self.device).status == 201)
            }
            try await withStoredGateway(file) { gateway async throws in
                #expect(gateway.world { $0.journalCount } == 2)
                #expect(try await gateway.total("/w/late/api/notifications") == 1)
            }
        }
    }

    @Test func `a world of the first use that cannot be stored takes notifications as soon as there is room`()
        async throws
    {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            try await withStoredGateway(file) { gateway async throws in
                let storeQueue = try #require(gateway.running.state.storeQueue)
                try storeQueue.limitGrowth(toPages: 0)
                var names: [String] = []
                var status = 201
                for number in 0..<200 where status == 201 {
                    names.append("w\(number)")
                    status = try await send(gateway, to: "w\(number)", Self.device).status
                }
                #expect(status == 503)
                let last = try #require(names.last)
                let refused = try await send(gateway, to: last, Self.device)
                #expect(refused.status == 503)
                #expect(refused.body.contains("cannot be stored"))
                try storeQueue.limitGrowth(toPages: nil)
                gateway.running.worlds.forEach { $0.retryStore() }
                await storeQueue.finish()
                #expect(try await send(gateway, to: last, Self.device).status == 201)
            }
        }
    }

    /// Makes worlds until the store takes no more.
    ///
    /// - Returns: The name of the world that could not be stored.
    private func fillStore(of gateway: TestGateway) async throws -> String {
        try #require(gateway.running.state.storeQueue).limitGrowth(toPages: 0)
        for number in 0..<200 {
            let status = try await gateway.control.call("POST", "/api/worlds", #"{"name":"w\#(number)"}"#).status
            guard status == 201 else {
                #expect(status == 503)
                return "w\(number)"
            }
        }
        throw StoreNeverFull()
    }

    private struct StoreNeverFull: Error {}

    /// The head of a notification by which a sender chooses a world.
    private func fields(_ gateway: TestGateway, inWorld name: String) throws -> [(StaticString, String)] {
        try gateway.fields(to: Self.device).map {
            "\($0.0)" == ":authority" ? ($0.0, "\(name).localhost") : $0
        }
    }

    @Test func `a world of the first use that cannot be stored does not exist`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            try await withStoredGateway(file) { gateway async throws in
                let (control, worlds) = (gateway.control, gateway.running.worlds)
                let storeQueue = try #require(gateway.running.state.storeQueue)
                let name = try await fillStore(of: gateway)
                let before = worlds.all.map(\.name.text)
                #expect(!before.contains(name))

                let devices = "/w/\(name)/api/devices"
                let refused = try await control.call("POST", devices, #"{"topic":"\#(gateway.topic)"}"#)
                #expect(refused.status == 503)
                let sender = try await gateway.rawSender()
                var observed = sender.observed.makeAsyncIterator()
                let fields = try fields(gateway, inWorld: name)
                try await sender.submit(fields, body: silent)
                let first = await sender.answer(on: 1, &observed).answer
                #expect(first.headers.contains(":status: 503"), "\(first)")
                #expect(worlds.all.map(\.name.text) == before)
                #expect(try await control.call("GET", devices).status == 404)
                await storeQueue.finish()
                #expect(worlds.isStoreFailing, "the gateway is not ready")

                // The next use makes it, also over the connection that could not.
                try storeQueue.limitGrowth(toPages: nil)
                worlds.forEach { $0.retryStore() }
                await storeQueue.finish()
                try await sender.submit(fields, body: silent)
                let second = await sender.answer(on: 3, &observed).answer
                #expect(second.headers.contains(":status: 200"), "\(second)")
                #expect(worlds.all.map(\.name.text) == (before + [name]).sorted())
                #expect(try await gateway.total("/w/\(name)/api/notifications") == 1)
                try await sender.close()
            }
        }
    }

    @Test func `a connection whose world could not be stored is answered while no other world of its name can be made`()
        async throws
    {
        try await withFolder { folder in
            try await withStoredGateway(folder + "/gateway.sqlite") { gateway async throws in
                let worlds = gateway.running.worlds
                let storeQueue = try #require(gateway.running.state.storeQueue)
                let name = try await fillStore(of: gateway)
                let sender = try await gateway.rawSender()
                var observed = sender.observed.makeAsyncIterator()
                let fields = try fields(gateway, inWorld: name)
                try await sender.submit(fields, body: silent)
                let first = await sender.answer(on: 1, &observed).answer
                #expect(first.headers.contains(":status: 503"), "\(first)")

                // Another client is making a world of this name.
                let other = try worlds.prepare(try #require(WorldName(name)), WorldSetup())
                try await sender.submit(fields, body: silent)
                let second = await sender.answer(on: 3, &observed).answer
                #expect(second.headers.contains(":status: 503"), "\(second)")

                // The connection goes on.
                try storeQueue.limitGrowth(toPages: nil)
                worlds.abandon(other)
                worlds.forEach { $0.retryStore() }
                await storeQueue.finish()
                try await sender.submit(fields, body: silent)
                let third = await sender.answer(on: 5, &observed).answer
                #expect(third.headers.contains(":status: 200"), "\(third)")
                try await sender.close()
            }
        }
    }

    @Test func `more worlds than there may be do not start`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            try await withStoredGateway(file) { gateway async throws in
                for world in ["one", "two"] { _ = try await send(gateway, to: world, Self.device) }
            }
            let error = await #expect(throws: GatewayError.self) {
                try await withStoredGateway(file, { $0.worlds = 2 }) { _ in }
            }
            #expect(error?.detail.contains("there are 3 worlds with those of the store, and --worlds is 2") == true)
            try await withStoredGateway(file, { $0.worlds = 3 }) { _ in }
        }
    }

    @Test(arguments: ["default", "lost"])
    func `a world whose file cannot be read any more is named, and nothing starts with defaults`(
        world: String
    ) async throws {
        try await withFolder { folder in
            let store = folder + "/gateway.sqlite"
            let topics = ["com.example.a", "com.example.b"]
            let apps = topics.map { #"{"topic":"\#($0)","team-id":"ABCDE12345"}"# }.joined(separator: ",")
            try await withStoredGateway(store) { gateway async throws in
                _ = try await gateway.control.call("POST", "/w/\(world)/api/reset")
                let imported = try await gateway.control.call(
                    "POST", "/w/\(world)/api/import", #"{"apps":[\#(apps)]}"#)
                #expect(imported.status == 200, "\(imported.body)")
            }
            let error = await #expect(throws: GatewayError.self) {
                try await withStoredGateway(store, { $0.settings.maximumApps = 1 }) { _ in }
            }
            #expect(error?.code == .badStore)
            #expect(error?.detail.contains("the world \(world) of \(store)") == true, "\(error?.detail ?? "")")
            #expect(error?.detail.contains("apps[1]: there are already 1 apps") == true)
            // The file has lost nothing.
            try await withStoredGateway(store) { gateway async throws in
                #expect(try await gateway.control.call("POST", "/w/\(world)/api/reset").status == 204)
                let found = try await gateway.control.call("GET", "/w/\(world)/api/apps").body
                #expect(topics.allSatisfy { found.contains($0) }, "\(found)")
            }
        }
    }

    @Test func `a gateway does not start in another environment than the world that was imported`() async throws {
        try await withFolder { folder in
            let store = folder + "/gateway.sqlite"
            try await withStoredGateway(store) { gateway async throws in
                try gateway.register(device: "ab12")
                let exported = try await gateway.control.call("GET", "/api/export?state=false").body
                #expect(try await gateway.control.call("POST", "/api/import", exported).status == 200)
            }
            let error = await #expect(throws: GatewayError.self) {
                try await withStoredGateway(store, { $0.environment = .production }) { _ in }
            }
            #expect(error?.code == .badStore)
            #expect(error?.detail.contains("start it with the environment sandbox") == true, "\(error?.detail ?? "")")
            try await withStoredGateway(store) { gateway async throws in
                #expect(try await gateway.control.call("GET", "/api/devices/ab12").status == 200)
            }
        }
    }

    /// The seed of a world that is made now.
    private func newSeed(_ gateway: TestGateway) async throws -> UInt64 {
        #expect(try await gateway.control.call("POST", "/api/worlds", #"{"name":"orders"}"#).status == 201)
        let state = try #require(gateway.running.worlds.all.first { $0.name.text == "orders" })
        #expect(try await gateway.control.call("DELETE", "/api/worlds/orders").status == 204)
        return state.read { world, _ in world.start.settings.seed }
    }

    @Test func `worlds that are made later have the seed of the gateway, also after an import and a restart`()
        async throws
    {
        try await withFolder { folder in
            let store = folder + "/gateway.sqlite"
            var before: UInt64 = 0
            try await withStoredGateway(store, { $0.seed = 7 }) { gateway in
                before = try await newSeed(gateway)
                #expect(try await gateway.control.call("POST", "/api/import", #"{"seed":9}"#).status == 200)
            }
            try await withStoredGateway(store, { $0.seed = 7 }) { gateway async throws in
                #expect(gateway.world { $0.start.settings.seed } == 9)
                #expect(try await newSeed(gateway) == before)
            }
        }
    }

    @Test func `a world of the configuration goes on where it was`() async throws {
        try await withFolder { folder in
            let file = folder + "/gateway.sqlite"
            func start(_ body: (TestGateway) async throws -> sending Void) async throws {
                try await withStoredGateway(
                    file,
                    { configuration in
                        var own = configuration
                        own.environment = .production
                        own.devices = .strict
                        guard let name = WorldName("alpha") else { return }
                        configuration.namedWorlds = [.init(name: name, configuration: own)]
                    }, body)
            }
            for count in 1...2 {
                try await start { gateway async throws in
                    #expect(try await send(gateway, to: "alpha", Self.device).body.contains("BadDeviceToken"))
                    #expect(try await gateway.total("/w/alpha/api/notifications") == count)
                }
            }
            // Without the configuration it is still there.
            try await withStoredGateway(file) { gateway async throws in
                let state = try #require(gateway.running.worlds.all.first { $0.name.text == "alpha" })
                #expect(state.environment == .production)
                #expect(try await gateway.total("/w/alpha/api/notifications") == 2)
            }
        }
    }

    @Test func `who waits for a notification has it once it is stored`() async throws {
        try await withFolder { folder in
            try await withStoredGateway(folder + "/gateway.sqlite") { gateway async throws in
                let state = gateway.running.state
                let storeQueue = try #require(state.storeQueue)
                async let verified = gateway.control.call(
                    "POST", "/api/verify", #"{"match":{"token":"\#(Self.device)"},"within":"5m"}"#)
                #expect(await eventually { state.waiterCount == 1 })
                let disk = DispatchSemaphore(value: 0)
                storeQueue.perform { _ in disk.wait() }
                async let reply = gateway.push(to: Self.device)
                #expect(await eventually { gateway.world { $0.journalCount } == 1 })
                #expect(state.waiterCount == 1)
                disk.signal()
                #expect(try await verified.json["matched"] as? Int == 1)
                #expect(try await reply.isAccepted)
            }
        }
    }

    @Test func `a waiting client gets nothing that could not be stored`() async throws {
        try await withFolder { folder in
            try await withStoredGateway(folder + "/gateway.sqlite") { gateway async throws in
                let state = gateway.running.state
                let storeQueue = try #require(state.storeQueue)
                async let verified = gateway.control.call(
                    "POST", "/api/verify", #"{"match":{"token":"\#(Self.device)"},"within":"5m"}"#)
                #expect(await eventually { state.waiterCount == 1 })
                try storeQueue.limitGrowth(toPages: 0)
                let fill = #"{"aps":{"content-available":1},"fill":"\#(String(repeating: "x", count: 3500))"}"#
                var refused = false
                for number in 0..<200 where !refused {
                    let token = String(format: "%08x", number)
                    let reply = try await gateway.provider.send(gateway.notification(to: token, payload: fill))
                    refused = !reply.isAccepted
                }
                #expect(refused)
                #expect(!(try await gateway.push(to: Self.device).isAccepted))
                #expect(state.waiterCount == 1)
                try storeQueue.limitGrowth(toPages: nil)
                state.retryStore()
                await storeQueue.finish()
                #expect(try await gateway.push(to: Self.device).isAccepted)
                #expect(try await verified.json["matched"] as? Int == 1)
            }
        }
    }
}
