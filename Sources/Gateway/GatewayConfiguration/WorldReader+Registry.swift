import APNSModel
package import ConfigurationText
import GatewayCore
import GatewayJSON
import ProviderToken

/// Apps, keys, devices and fault rules of a configuration file.
extension WorldReader {
    private static let appKeys = ["topic", "team-id", "capabilities"]
    private static let keyKeys = [
        "file", "public-key", "key-id", "team-id", "kind", "topics", "environments", "revoked",
    ]
    private static let deviceKeys =
        ["topic", "token", "environment", "kind", "installed"] + DevicePatch.keys

    /// Reads the lists, and registers everything in a temporary world, so that what cannot be registered is reported
    /// with its place.
    package func register(_ members: Members, _ configuration: inout GatewayConfiguration, _ reader: inout YAMLReader) {
        var settings = configuration.settings
        settings.unknownDevices = configuration.devices
        guard var world = try? World(WorldStart(settings: settings, clock: configuration.clock), real: 0) else {
            return
        }
        for (name, key, node) in members {
            switch name {
            case "apps":
                configuration.apps = elements(node, key, &reader) { (node, key, reader) in
                    app(node, key, &reader)
                } register: { (app: RegisteredApp) throws(RegistrationError) in
                    try world.register(app)
                }
            case "keys":
                let environment = configuration.environment
                configuration.keys = elements(node, key, &reader) { (node, key, reader) in
                    self.key(node, key, environment, &reader)
                } register: { (key: GatewayConfiguration.Key) throws(RegistrationError) in
                    try world.register(
                        ProviderKey(
                            keyID: key.keyID.value, teamID: key.teamID.value, verifyingKey: key.verifyingKey,
                            kind: key.kind, environments: key.environments))
                }
            case "registered-devices":
                let environment = configuration.environment
                configuration.registeredDevices = elements(node, key, &reader) { (node, key, reader) in
                    device(node, key, environment, &reader)
                } register: { (device: DeviceRegistration) throws(RegistrationError) in
                    _ = try world.register(device, real: 0)
                }
            case "faults":
                configuration.faults = faults(node, key, settings.maximumFaults, &reader)
            default: continue
            }
        }
    }

    private func elements<Element>(
        _ node: YAMLNode, _ key: String, _ reader: inout YAMLReader,
        read: (YAMLNode, String, inout YAMLReader) -> Element?, register: (Element) throws(RegistrationError) -> Void
    ) -> [Element] {
        var elements: [Element] = []
        for (key, node) in reader.list(node, key) {
            guard let element = read(node, key, &reader) else { continue }
            do throws(RegistrationError) {
                try register(element)
                elements.append(element)
            } catch {
                reader.report(error.description, at: node, key)
            }
        }
        return elements
    }

    private func app(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> RegisteredApp? {
        var topic: String?
        var team: TeamID?
        var capabilities = RegisteredApp.everyCapability
        let members = reader.members(of: node, key, known: WorldReader.appKeys)
        for (name, key, node) in members {
            switch name {
            case "topic": topic = reader.string(node, key)
            case "team-id": team = identifier(node, key, "team id", TeamID.init, &reader)
            default: capabilities = Set(reader.strings(node, key).map(\.text))
            }
        }
        missing(["topic", "team-id"], members, node, key, &reader)
        guard let topic, let team else { return nil }
        return RegisteredApp(topic: topic, teamID: team.value, capabilities: capabilities)
    }

    private func key(
        _ node: YAMLNode, _ key: String, _ environment: APNSEnvironment, _ reader: inout YAMLReader
    ) -> GatewayConfiguration.Key? {
        var file: [UInt8]?
        var publicKey: String?
        var keyID: KeyID?
        var team: TeamID?
        var isTopicKey: Bool?
        var topics: Set<String>?
        var environments: Set<APNSEnvironment>?
        var isRevoked = false
        let members = reader.members(of: node, key, known: WorldReader.keyKeys)
        let names = Set(members.map(\.name))
        for (name, key, node) in members {
            switch name {
            case "file":
                guard let path = reader.string(node, key) else { break }
                file = bytes(of: path, node, key, &reader)
                if !names.contains("key-id") {
                    keyID = KeyID.inName(of: path)
                    if keyID == nil {
                        reader.report(
                            "the key id is read from a name of the form AuthKey_XXXXXXXXXX.p8, which \(node.shown) "
                                + "does not have; set key-id", at: node, key)
                    }
                }
            case "public-key": publicKey = reader.string(node, key)
            case "key-id": keyID = identifier(node, key, "key id", KeyID.init, &reader)
            case "team-id": team = identifier(node, key, "team id", TeamID.init, &reader)
            case "kind": isTopicKey = reader.word(node, key, [("team", false), ("topic", true)])
            case "topics": topics = Set(reader.strings(node, key).map(\.text))
            case "revoked": isRevoked = reader.boolean(node, key) ?? false
            default:
                let words = APNSEnvironment.allCases.map { ($0.rawValue, $0) }
                environments = Set(reader.list(node, key).compactMap { reader.word($0.node, $0.key, words) })
            }
        }
        missing(names.contains("file") ? ["team-id"] : ["team-id", "key-id"], members, node, key, &reader)
        guard names.contains("file") != names.contains("public-key") else {
            reader.report("one of file and public-key is expected", at: node, key)
            return nil
        }
        guard topics == nil || isTopicKey != false else {
            reader.report("a key with topics is of the kind topic", at: node, key)
            return nil
        }
        guard let keyID, let team, let text = file ?? publicKey.map({ Array($0.utf8) }) else { return nil }
        do throws(KeyError) {
            var made = try GatewayConfiguration.Key(keyID: keyID, teamID: team, file: text)
            if isTopicKey ?? (topics != nil) { made.kind = .topics(topics ?? []) }
            made.isRevoked = isRevoked
            made.environments = environments ?? made.kind.defaultEnvironments(at: environment)
            return made
        } catch {
            let (path, place) =
                members.first { $0.name == "file" || $0.name == "public-key" }.map { ($0.key, $0.node) }
                ?? (key, node)
            reader.report("it cannot be used: \(error.detail)", at: place, path)
            return nil
        }
    }

    private func device(
        _ node: YAMLNode, _ key: String, _ environment: APNSEnvironment, _ reader: inout YAMLReader
    ) -> DeviceRegistration? {
        var device = DeviceRegistration(topic: "", environment: environment)
        let members = reader.members(of: node, key, known: WorldReader.deviceKeys)
        for (name, key, node) in members {
            switch name {
            case "topic": device.topic = reader.string(node, key) ?? ""
            case "token": device.token = reader.string(node, key)
            case "environment":
                let words = APNSEnvironment.allCases.map { ($0.rawValue, $0) }
                device.environment = reader.word(node, key, words) ?? environment
            case "kind": device.kind = reader.word(node, key, DeviceKind.allCases.map { ($0.rawValue, $0) })
            case "installed": device.isInstalled = reader.boolean(node, key) ?? true
            default: take(name, key, node, &device.state, &reader)
            }
        }
        missing(["topic"], members, node, key, &reader)
        return device.topic.isEmpty ? nil : device
    }

    /// How a device differs from a new one, as in `PATCH /api/devices/{token}`.
    private func take(
        _ name: String, _ key: String, _ node: YAMLNode, _ state: inout DevicePatch, _ reader: inout YAMLReader
    ) {
        switch name {
        case "online": state.isOnline = reader.boolean(node, key)
        case "awake": state.isAwake = reader.boolean(node, key)
        case "low-power": state.isInLowPower = reader.boolean(node, key)
        case "low-data": state.isInLowData = reader.boolean(node, key)
        case "background-refresh": state.allowsBackgroundRefresh = reader.boolean(node, key)
        case "notifications": state.allowsNotifications = reader.boolean(node, key)
        case "app-state":
            state.appState = reader.word(node, key, Device.AppState.allCases.map { ($0.rawValue, $0) })
        case "budget":
            state.budget = node.text.flatMap { BudgetText.choice($0) }
            guard state.budget == nil else { return }
            reader.report(
                "\(node.shown) is given where \(BudgetText.wanted), unlimited or default is expected", at: node, key)
        default:
            state.expiresAt = node.text.flatMap { TimeText.milliseconds(ofTime: $0) }
            guard state.expiresAt == nil else { return }
            reader.report(
                "\(node.shown) is given where a time such as 2026-11-21T07:00:00Z or Unix seconds are expected",
                at: node, key)
        }
    }

    /// A list of rules, or the name of a file with them.
    private func faults(
        _ node: YAMLNode, _ key: String, _ maximum: Int, _ reader: inout YAMLReader
    ) -> [FaultRule] {
        if node.text != nil {
            guard let path = reader.string(node, key), let bytes = bytes(of: path, node, key, &reader) else {
                return []
            }
            do throws(GatewayError) {
                return try FaultFile.rules(in: bytes, name: path)
            } catch {
                reader.report(error.detail, at: node, key)
                return []
            }
        }
        var rules: [FaultRule] = []
        var ids: Set<Int> = []
        for (key, node) in reader.list(node, key) {
            guard rules.count < maximum else {
                reader.report("there are more than \(maximum) fault rules, the limit of this gateway", at: node, key)
                break
            }
            do throws(Problem) {
                let rule = try FaultRule(try FaultFile.body(node, keys: FaultRule.fileKeys))
                if let id = rule.id, !ids.insert(id).inserted {
                    reader.report("the id \"\(id)\" is that of another fault rule", at: node, key)
                }
                rules.append(rule)
            } catch {
                reader.report(placed: error.detail, at: node, key)
            }
        }
        return rules
    }

    private func bytes(of path: String, _ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> [UInt8]? {
        do {
            return try readFile(WorldReader.path(path, in: folder))
        } catch {
            reader.report("\(error)", at: node, key)
            return nil
        }
    }

    private func identifier<ID>(
        _ node: YAMLNode, _ key: String, _ name: String, _ make: (String) -> ID?, _ reader: inout YAMLReader
    ) -> ID? {
        guard let text = reader.string(node, key) else { return nil }
        guard let id = make(text) else {
            reader.report("\(node.shown) is not a \(name); 10 characters from 0-9 and A-Z are expected", at: node, key)
            return nil
        }
        return id
    }

    private func missing(
        _ wanted: [String], _ members: Members, _ node: YAMLNode, _ key: String, _ reader: inout YAMLReader
    ) {
        guard node.isMapping else { return }
        for name in wanted where !members.contains(where: { $0.name == name }) {
            reader.report("the key \(name) is missing", at: node, key)
        }
    }
}

extension YAMLReader {
    /// Reports a message that begins with its place, as messages about JSON do: `line 3, column 7: …`.
    fileprivate mutating func report(placed message: String, at node: YAMLNode, _ key: String) {
        let words = message.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
        guard words.count == 5, words[0] == "line", words[2] == "column", let line = Int(words[1].dropLast()),
            let column = Int(words[3].dropLast())
        else { return report(message, at: node, key) }
        report(String(words[4]), line: line, column: column, key)
    }
}

extension KeyID {
    /// The key id in a file name of the form `AuthKey_XXXXXXXXXX.p8`.
    fileprivate static func inName(of path: String) -> KeyID? {
        let name = path.split(separator: "/").last ?? ""
        guard name.hasPrefix("AuthKey_"), name.hasSuffix(".p8") else { return nil }
        return KeyID(name.dropFirst("AuthKey_".count).dropLast(".p8".count))
    }
}
