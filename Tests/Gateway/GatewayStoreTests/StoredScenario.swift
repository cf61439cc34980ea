import APNSModel
import Foundation
import ProviderToken

@testable import GatewayCore
@testable import GatewayStore

/// A world on a manual clock, a connection that may push to its app, and the changes that a store gets.
struct StoredScenario {
    static let start: Int64 = 1_800_000_000_000
    static let topic = "com.example.agent"
    static let tokens = (1...6).map { String(repeating: "0\($0)", count: 4) }

    var world: World
    var connection = GatewayConnection(environment: .sandbox)
    private var stream: Int32 = 1

    static let key = Result { () throws(KeyError) in try SigningKey.generate().publicKey }

    static func worldStart(seed: UInt64 = 7, settings given: WorldSettings = WorldSettings()) throws -> WorldStart {
        var settings = given
        settings.seed = seed
        return WorldStart(
            settings: settings, clock: .manual(at: start),
            keys: [ProviderKey(keyID: "KEY0000001", teamID: "TEAM000001", verifyingKey: try key.get())],
            apps: [RegisteredApp(topic: topic, teamID: "TEAM000001")])
    }

    init(seed: UInt64 = 7, settings: WorldSettings = WorldSettings()) throws {
        self.init(try World(StoredScenario.worldStart(seed: seed, settings: settings), real: 0))
        world.beginStoring(isStored: false)
    }

    init(_ world: World) {
        self.world = world
        _ = connection.opened(
            certificate: ClientCertificate(
                environments: [.sandbox], uid: StoredScenario.topic, listedTopics: [StoredScenario.topic]),
            settings: world.settings, at: world.now(real: 0))
    }

    @discardableResult
    mutating func send(_ head: RequestHead, _ body: String) -> Judgement {
        defer { stream += 2 }
        return world.judge(
            CompleteRequest(stream: stream, head: head, body: Array(body.utf8)), on: &connection, real: 0)
    }

    @discardableResult
    mutating func push(to token: String, _ text: String = "1", collapseID: String? = nil) -> Judgement {
        var head = RequestHead(path: "/3/device/\(token)")
        head.topic = StoredScenario.topic
        head.pushType = "alert"
        head.collapseID = collapseID
        return send(head, #"{"aps":{"alert":"\#(text)"}}"#)
    }

    /// - Returns: The id of the channel.
    mutating func createChannel() -> String? {
        let judgement = send(
            RequestHead(path: "/1/apps/\(StoredScenario.topic)/channels"),
            #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        return judgement.response?.channelID
    }

    @discardableResult
    mutating func broadcast(to channel: String) -> Judgement {
        var head = RequestHead(path: "/4/broadcasts/apps/\(StoredScenario.topic)")
        head.channelID = channel
        head.pushType = "liveactivity"
        head.priority = "10"
        head.expiration = String(world.now(real: 0) / 1000 + 600)
        return send(
            head, #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{"score":3}}}"#)
    }

    static func token(_ text: String) throws -> DeviceToken {
        guard let token = DeviceToken(text) else { throw BadToken() }
        return token
    }

    struct BadToken: Error {}

    /// A world that goes on where the store has it.
    static func restored(
        _ store: GatewayStore, seed: UInt64 = 7, settings: WorldSettings = WorldSettings(),
        clockMode: WorldClock.Mode? = nil
    ) throws -> World {
        guard let snapshot = try store.load("default") else { throw NotKept() }
        let start = try worldStart(seed: seed, settings: settings)
        var world = try World(
            start, snapshot, clockMode: clockMode, settings: try store.settings(start.settings, of: snapshot), real: 0)
        world.beginStoring(isStored: true)
        return world
    }

    struct NotKept: Error {}

    /// Everything of a world that is stored, as text, without its listeners.
    static func picture(of world: World) throws -> [String] {
        var world = world
        world.beginStoring(isStored: false)
        let all = world.takeChanges()
        let documents = StoreDocuments()
        var lines = [try documents.text(all.core)]
        for key in all.keys ?? [] { lines.append(try documents.text(key.document)) }
        for app in all.apps ?? [] {
            lines.append("app \(app.topic) \(app.teamID) \(app.capabilities.sorted()) \(app.revision)")
        }
        for changed in all.devices {
            var device = Device(
                changed.device.document, waiting: Array(changed.device.waiting), history: Array(changed.device.history))
            _ = device.setWakeUp()
            lines.append("\(changed.environment) \(changed.slot) \(try documents.text(device))")
        }
        for changed in all.channels.sorted(by: { $0.id.base64 < $1.id.base64 }) {
            guard let channel = changed.channel else { continue }
            let payload = String(decoding: channel.stored?.broadcast.payload ?? [], as: UTF8.self)
            lines.append("\(try documents.text(channel.document)) \(payload) \(channel.subscribers)")
        }
        for entry in all.entries {
            let payload = String(decoding: entry.record.payload, as: UTF8.self)
            lines.append("\(entry.sequence) \(try documents.text(entry.record.document)) \(payload)")
        }
        for line in all.lives { lines.append("\(line.sequence).\(line.number) \(try documents.text(line.life))") }
        return lines
    }
}

extension StoredScenario {
    mutating func keep(in store: GatewayStore) throws { try store.write(["default": world.takeChangesLater()()]) }
}

/// Runs `body` with the path of a file in a new folder.
func withStoreFile(_ body: (String) throws -> Void) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("apns-store-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try body(folder.appendingPathComponent("gateway.sqlite").path)
}

func withStore(_ body: (GatewayStore) throws -> Void) throws {
    try withStoreFile { path in
        let store = try GatewayStore(path: path)
        defer { store.close() }
        try body(store)
    }
}
