import APNSModel

@testable import GatewayCore

/// A world with one channel and a request about it that is accepted, before a test spoils something of it.
struct ChannelScenario {
    static let id = "AAECAwQFBgcICQoLDA0ODw=="
    static let requestID = "9d1f0a52-1111-4222-8333-abcdefabcdef"
    static let update = #"{"aps":{"timestamp":1800000000,"event":"update","content-state":{"score":3}}}"#

    var scenario = Scenario()
    var policy = BroadcastChannel.StoragePolicy.nothing
    var role = GatewayConnection.Role.send

    init(_ kind: RequestKind, policy: BroadcastChannel.StoragePolicy = .nothing) {
        self.policy = policy
        let channels = "/1/apps/\(Scenario.topic)/channels"
        scenario.body = []
        switch kind {
        case .notification, .unknownChannelRequest: break
        case .broadcast:
            scenario.head = RequestHead(path: "/4/broadcasts/apps/\(Scenario.topic)")
            scenario.head.channelID = Self.id
            scenario.head.pushType = "liveactivity"
            scenario.head.priority = "10"
            scenario.head.expiration = "0"
            scenario.body = Array(Self.update.utf8)
        case .createChannel:
            scenario.head = RequestHead(path: channels)
            scenario.body = Array(#"{"message-storage-policy":1,"push-type":"LiveActivity"}"#.utf8)
        case .readChannel, .deleteChannel:
            scenario.head = RequestHead(method: kind == .readChannel ? "GET" : "DELETE", path: channels)
            scenario.head.channelID = Self.id
        case .listChannels:
            scenario.head = RequestHead(method: "GET", path: "/1/apps/\(Scenario.topic)/all-channels")
        }
        scenario.head.requestID = Self.requestID
    }

    func with(_ change: (inout Scenario) throws -> Void) rethrows -> ChannelScenario {
        var changed = self
        try change(&changed.scenario)
        return changed
    }

    /// The world with the channel in it, and no device that subscribes.
    func run() throws -> Running {
        let (policy, environment) = (policy, scenario.environment)
        var prepared = scenario
        prepared.before.insert(
            { running in
                guard let id = ChannelID(Self.id) else { throw Scenario.BadID() }
                running.world.channels.create(id, app: Scenario.topic, in: environment, policy, at: running.now)
            }, at: 0)
        var running = try prepared.run()
        if role == .manage {
            running.connection = GatewayConnection(environment: environment, role: .manage)
            _ = running.connection.opened(
                certificate: scenario.certificate, settings: scenario.settings, at: Scenario.start)
        }
        return running
    }

    func judgement() throws -> Judgement {
        var running = try run()
        return try running.send(scenario)
    }
}

extension Running {
    /// The device of the scenario subscribes to its channel.
    @discardableResult
    mutating func subscribe(_ channels: [String] = [ChannelScenario.id]) throws -> [DeliveryEvent] {
        try world.subscribe(Scenario().deviceToken, in: .sandbox, to: channels, real: 0)?.events ?? []
    }

    /// The device of the scenario connects.
    @discardableResult
    mutating func connect() throws -> [DeliveryEvent] {
        try world.subscribe(Scenario().deviceToken, in: .sandbox, real: 0)?.events ?? []
    }

    /// The life of a request in the journal, without its first line.
    func life(of judgement: Judgement) -> [LifeEntry.Stage] {
        world.notification(judgement.sequence)?.life.dropFirst().map(\.stage) ?? []
    }

    var channel: BroadcastChannel? { world.channels(in: .sandbox, limit: 10).channels.first }
}
