package import APNSModel
package import ConfigurationText
import GatewayCore
import GatewayJSON
import ProviderToken
import SystemFiles

/// The content of a configuration file: everything that the command's options set, and apps, keys, devices, fault
/// rules, contested questions, limits and worlds (docs/configuration.md).
///
/// An error is reported with its place, and reading continues, so that all errors are reported at once.
package struct GatewayFile: Sendable {
    package private(set) var configuration: GatewayConfiguration
    package private(set) var errors: [ConfigurationError] = []
    /// Whether every verdict is shown; nil if the file does not set it.
    package private(set) var isVerbose: Bool?
    /// Whether the ready line is JSON; nil if the file does not set it.
    package private(set) var printsJSON: Bool?
    /// Whether the file itself has the control token.
    package private(set) var hasControlToken = false
    /// The file that it names for the control token.
    package private(set) var controlTokenFile: String?

    /// How messages name the file.
    package let name: String
    /// The place of each value for the gateway as a whole, by its path of keys.
    package private(set) var places: [String: (line: Int, column: Int)] = [:]

    /// Returns the content of a file that the configuration names.
    package typealias ReadFile = @Sendable (_ path: String) throws -> [UInt8]

    /// - Parameters:
    ///   - name: How messages name the file.
    ///   - folder: What relative paths in the file are resolved against.
    ///   - environment: The environment given on the command line, if it replaces the file's.
    package init(
        _ bytes: [UInt8], name: String, folder: String, environment: APNSEnvironment? = nil,
        readFile: @escaping ReadFile
    ) {
        configuration = GatewayConfiguration()
        self.name = name
        let root: YAMLNode?
        do throws(ConfigurationError) {
            root = try YAMLText.read(bytes, name: name)
        } catch {
            root = nil
            errors.append(error)
        }
        guard let root, !root.isNothing else {
            configuration.environment = environment ?? configuration.environment
            return
        }
        var reader = YAMLReader(file: name)
        let members = reader.members(of: root, nil, known: GatewaySetting.keys(.gateway) + GatewaySetting.keys(.world))
        let worlds = WorldReader(folder: folder, environment: environment, readFile: readFile)
        worlds.read(members, into: &configuration, &reader)
        for (key, path, node) in members {
            note(node, path)
            take(key, path, node, folder, readFile, &reader)
        }
        if hasControlToken, let (_, path, node) = members.first(where: { $0.name == "control-token-file" }) {
            reader.report("control-token sets the token too; one of them is expected", at: node, path)
        }
        if let (_, path, node) = members.first(where: { $0.name == "worlds" }) {
            // Options of the command apply to the default world.
            read(worlds: node, path, WorldReader(folder: folder, environment: nil, readFile: readFile), &reader)
        }
        errors += reader.errors.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
    }

    private mutating func take(
        _ key: String, _ path: String, _ node: YAMLNode, _ folder: String, _ readFile: ReadFile,
        _ reader: inout YAMLReader
    ) {
        switch key {
        case "host": configuration.host = reader.string(node, path) ?? configuration.host
        case "port": configuration.port = port(node, path, &reader) ?? configuration.port
        case "control-port": configuration.controlPort = port(node, path, &reader) ?? configuration.controlPort
        case "channel-port": configuration.channelPort = port(node, path, &reader)
        case "credentials":
            guard let text = reader.string(node, path) else { return }
            configuration.credentials = .folder(WorldReader.path(text, in: folder))
        case "credentials-group":
            guard let text = reader.string(node, path) else { return }
            configuration.credentialsReaders = FileReaders(text)
            if configuration.credentialsReaders == nil {
                reader.report(
                    "\(node.shown) is not a group of this machine; a name or a number is expected", at: node, path)
            }
        case "names":
            for (path, node) in reader.list(node, path) {
                note(node, path)
                if let name = reader.string(node, path) { configuration.names.append(name) }
            }
        case "control-token-file":
            guard let text = reader.string(node, path) else { return }
            let file = WorldReader.path(text, in: folder)
            controlTokenFile = file
            do {
                configuration.controlToken = try ControlTokenFile.token(in: readFile(file))
            } catch {
                reader.report("\(error)", at: node, path)
            }
        case "control-token":
            guard let token = reader.string(node, path) else { return }
            hasControlToken = true
            if let problem = GatewayConfiguration.problem(ofControlToken: token) {
                reader.report("it \(problem); one that cannot be guessed is expected", at: node, path)
            }
            configuration.controlToken = token
        case "control-origin":
            guard let text = reader.string(node, path) else { return }
            configuration.controlOrigin = WebOrigin(text)
            if configuration.controlOrigin == nil {
                reader.report("\(node.shown) is given where \(WebOrigin.form) is expected", at: node, path)
            }
        case "grace":
            guard let grace = node.text.flatMap({ GatewayDurationText.grace($0) }) else {
                return reader.report(
                    "\(node.shown) is given where \(GatewayDurationText.graceForm), is expected", at: node, path)
            }
            configuration.grace = grace
        case "memory": configuration.memory = bytes(node, path, &reader) ?? configuration.memory
        case "record-bytes": configuration.recordBytes = bytes(node, path, &reader) ?? configuration.recordBytes
        case "record-files":
            configuration.recordFiles =
                reader.number(node, path, in: 1...Int64.max).map { Int($0) } ?? configuration.recordFiles
        case "log-format":
            let words = LogFormat.allCases.map { ($0.rawValue, $0) }
            configuration.logFormat = reader.word(node, path, words) ?? configuration.logFormat
        case "world-idle":
            guard let time = node.text.flatMap({ GatewayDurationText.worldIdle($0) }) else {
                return reader.report(
                    "\(node.shown) is given where \(GatewayDurationText.worldIdleForm), is expected", at: node, path)
            }
            configuration.worldIdle = time
        case "idle-worlds":
            configuration.idleWorlds =
                reader.number(node, path, in: 0...Int64(GatewayConfiguration.maximumWorlds)).map { Int($0) }
        case "maximum-worlds":
            guard let count = reader.number(node, path, in: 1...Int64(GatewayConfiguration.maximumWorlds)) else {
                return
            }
            configuration.worlds = Int(count)
        case "webhooks":
            for (path, node) in reader.list(node, path) {
                note(node, path)
                guard let text = reader.string(node, path) else { continue }
                guard let url = WebhookURL(text) else {
                    reader.report(
                        "\(node.shown) is not a webhook URL; the form http://127.0.0.1:9000/path is expected",
                        at: node, path)
                    continue
                }
                configuration.webhooks.append(url)
            }
        case "webhook-ca":
            guard let text = reader.string(node, path) else { return }
            do {
                configuration.webhookCA = try readFile(WorldReader.path(text, in: folder))
            } catch {
                reader.report("\(error)", at: node, path)
            }
        case "remote-webhooks":
            configuration.allowsRemoteWebhooks = reader.boolean(node, path) ?? configuration.allowsRemoteWebhooks
        case "store":
            if let text = reader.string(node, path) { configuration.store = WorldReader.path(text, in: folder) }
        case "record":
            guard let text = reader.string(node, path) else { return }
            configuration.record = text == "-" ? text : WorldReader.path(text, in: folder)
        case "verbose": isVerbose = reader.boolean(node, path)
        case "json": printsJSON = reader.boolean(node, path)
        default: break
        }
    }

    private mutating func note(_ node: YAMLNode, _ path: String) {
        if let mark = node.mark { places[path] = (mark.line, mark.column) }
    }

    private func bytes(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> Int? {
        guard let bytes = node.text.flatMap({ ByteCountText.bytes(of: $0) }), bytes > 0 else {
            reader.report("\(node.shown) is given where \(ByteCountText.form) is expected", at: node, key)
            return nil
        }
        return bytes
    }

    private func port(_ node: YAMLNode, _ key: String, _ reader: inout YAMLReader) -> Int? {
        reader.number(node, key, in: 0...65535).map { Int($0) }
    }

    /// Each world starts with the settings that the file has for all worlds, and replaces those that it sets itself.
    private mutating func read(worlds node: YAMLNode, _ key: String, _ worlds: WorldReader, _ reader: inout YAMLReader)
    {
        for (key, node) in reader.list(node, key) {
            let members = reader.members(of: node, key, known: WorldDocument.keys + GatewaySetting.keys(.world))
            checkExport(members, &reader)
            guard let (_, path, value) = members.first(where: { $0.name == "name" }) else {
                if node.isMapping {
                    reader.report("the key name is missing, which senders select it by", at: node, key)
                }
                continue
            }
            guard let text = reader.string(value, path) else { continue }
            guard let name = WorldName(text) else {
                reader.report(
                    "\(value.shown) is not a world name; a label of a host name is expected: \(WorldName.form)",
                    at: value, path)
                continue
            }
            guard name != .standard else {
                reader.report(
                    "the default world has its settings at the top of the file; another name is expected here",
                    at: value, path)
                continue
            }
            guard !configuration.namedWorlds.contains(where: { $0.name == name }) else {
                reader.report("a world named \(name) is already in the list", at: value, path)
                continue
            }
            var world = configuration
            world.namedWorlds = []
            worlds.read(members, into: &world, &reader)
            configuration.namedWorlds.append(GatewayConfiguration.NamedWorld(name: name, configuration: world))
        }
    }

    /// What only an exported world has.
    private func checkExport(_ members: WorldReader.Members, _ reader: inout YAMLReader) {
        for (name, path, node) in members {
            switch name {
            case "apns-world" where node.text != "\(WorldDocument.version)":
                reader.report(
                    "\(node.shown) is given where \(WorldDocument.version) is expected; the world was exported by another "
                        + "version of apns", at: node, path)
            case "state" where !node.isNothing:
                reader.report(
                    "a configuration file cannot have what happened in a world; export it without (apns world export "
                        + "--no-state), or import it into the running gateway (apns world import)", at: node, path)
            default: break
            }
        }
    }
}
