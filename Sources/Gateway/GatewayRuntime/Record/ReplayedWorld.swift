import APNSModel
import GatewayCore
import GatewayJSON
import ProviderToken

/// One world of a record. Before each request it is put into the state that the recorded verdict implies.
struct ReplayedWorld: Sendable {
    private var world: World
    private var keys: [String: SigningKey] = [:]
    private var provider: (name: String, authorization: String)?
    private let stream: Int32 = 1

    /// The configured apps and keys, which no verdict changes.
    private let apps: Set<String>
    private let configuredKeys: [String: ProviderKey]

    /// - Parameter start: What `world` was made with.
    init(_ world: World, _ start: WorldStart) {
        self.world = world
        apps = Set(start.apps.map(\.topic))
        configuredKeys = Dictionary(start.keys.map { ($0.keyID, $0) }) { $1 }
    }

    /// Whether the configuration has the app of this topic.
    func isConfigured(_ topic: String?) -> Bool {
        topic.flatMap { Topic($0) }.map { apps.contains($0.bundleID) } ?? false
    }

    /// - Returns: Nil if its key id, team id or topic is malformed.
    mutating func rejudge(_ recorded: RecordedLine) -> RecordedLine.Verdict? {
        _ = world.setClock(.manual, to: recorded.received, real: 0)
        var head = RequestHead(path: "/3/device/\(recorded.token ?? "")")
        head.pushType = recorded.pushType
        head.topic = recorded.topic
        head.priority = recorded.priority
        head.expiration = recorded.expiration
        head.collapseID = recorded.collapseID
        head.apnsID = recorded.apnsID
        var connection = GatewayConnection(environment: recorded.environment)
        if recorded.isFromControl {
            connection = GatewayConnection(environment: recorded.environment, role: .control)
        } else {
            var certificate: ClientCertificate?
            if let keyID = recorded.keyID {
                guard let text = authorization(keyID, recorded) else { return nil }
                head.authorization = text
            } else {
                let topic = recorded.verdict.rule == "topic-allowed" ? nil : recorded.topic
                certificate = ClientCertificate(
                    environments: [recorded.environment], uid: topic ?? "app.of.the.certificate", listedTopics: [])
            }
            _ = connection.opened(certificate: certificate, settings: world.settings, at: recorded.received)
        }
        prepare(recorded)
        let missing = max(0, recorded.payloadBytes - recorded.payload.count)
        // The record has no white space around the payload, but the size of the body includes it.
        var body = recorded.payload
        body += repeatElement(UInt8(ascii: " "), count: min(missing, max(0, World.maximumBodyBytes - body.count)))
        let request = CompleteRequest(stream: stream, head: head, body: body)
        request.end(bodyBytes: max(recorded.payloadBytes, body.count))
        let judgement = world.judge(request, on: &connection, real: 0)
        return world.notification(judgement.sequence).map { RecordedLine.Verdict($0) }
    }

    /// Puts the world into the state that the recorded verdict implies.
    private mutating func prepare(_ recorded: RecordedLine) {
        let rule = recorded.verdict.rule
        let strict = WorldSettings.UnknownDevicePolicy.strict
        let registration = rule == "device-token-known" ? strict : .open
        if world.settings.unknownDevices != registration { world.settings.unknownDevices = registration }
        if let topic = recorded.topic.flatMap({ Topic($0) }), let team = recorded.teamID, !apps.contains(topic.bundleID)
        {
            let isAllowed = rule != "topic-allowed"
            let known = world.registeredApps.first { $0.topic == topic.bundleID }
            if isAllowed, known?.teamID != team {
                try? world.register(RegisteredApp(topic: topic.bundleID, teamID: team))
            } else if !isAllowed, known?.teamID == team {
                try? world.register(RegisteredApp(topic: topic.bundleID, teamID: "another team"))
            }
        }
        guard let text = recorded.token, let token = DeviceToken(text), let topic = recorded.topic else { return }
        let device = world.device(token, in: recorded.environment)
        switch rule {
        case "device-token-registered":
            register(text, device?.topic.value ?? topic, recorded.environment)
            let uninstalled = recorded.verdict.timestamp ?? recorded.received
            _ = world.setClock(.manual, to: uninstalled, real: 0)
            _ = world.uninstall(token, in: recorded.environment, real: 0)
            _ = world.setClock(.manual, to: recorded.received, real: 0)
        case "device-token-expired":
            register(text, device?.topic.value ?? topic, recorded.environment)
            let patch = DevicePatch(expiresAt: recorded.verdict.timestamp ?? recorded.received)
            _ = world.patch(token, in: recorded.environment, patch, real: 0)
        case "device-token-for-topic":
            if device == nil { register(text, "another.app", recorded.environment) }
        default:
            // The device token was valid, whatever an earlier verdict implied.
            guard let device, !device.isInstalled || device.expiresAt != nil else { return }
            register(text, device.topic.value, recorded.environment)
            if device.expiresAt != nil {
                _ = world.patch(token, in: recorded.environment, DevicePatch(expiresAt: .max), real: 0)
            }
        }
    }

    private mutating func register(_ token: String, _ topic: String, _ environment: APNSEnvironment) {
        _ = try? world.register(
            DeviceRegistration(topic: topic, token: token, environment: environment), real: 0)
    }

    /// A provider token of the recorded key, signed within the half hour before the request.
    private mutating func authorization(_ keyID: String, _ recorded: RecordedLine) -> String? {
        let issued = recorded.received / 1000 / 1800 * 1800
        let isVerified = recorded.verdict.isVerified
        let name = "\(keyID) \(recorded.teamID ?? "") \(recorded.environment.rawValue) \(isVerified)"
        if let provider, provider.name == "\(name) \(issued)" { return provider.authorization }
        guard let id = KeyID(keyID), let team = recorded.teamID.flatMap({ TeamID($0) }) else { return nil }
        do {
            let known = keys[name]
            let key = try known ?? SigningKey.generate()
            keys[name] = key
            if isVerified {
                let known = configuredKeys[keyID].flatMap { $0.teamID == team.value ? $0 : nil }
                try world.register(
                    ProviderKey(
                        keyID: keyID, teamID: team.value, verifyingKey: key.publicKey, kind: known?.kind ?? .team,
                        environments: known?.environments ?? [recorded.environment]))
            }
            let token = try SignedToken(keyID: id, teamID: team, issuedAt: issued, key: key).text
            provider = ("\(name) \(issued)", "bearer " + token)
            return provider?.authorization
        } catch {
            return nil
        }
    }
}
