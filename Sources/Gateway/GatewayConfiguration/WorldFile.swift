package import APNSModel
package import ConfigurationText
package import DevelopmentCredentials
package import GatewayCore
package import GatewayJSON
import PayloadJSON
import ProviderToken

/// A world read from a file of `WorldDocument`'s form.
package struct WorldFile: Sendable {
    package let environment: APNSEnvironment
    /// What the world begins with, and what a reset restores.
    package let start: WorldStart
    /// What happened in the world, as JSON; nil for a file that has only what a world is configured with.
    package let state: [UInt8]?

    /// Reads files for one gateway.
    package struct Reader: Sendable {
        /// What a file does not say.
        private let configuration: GatewayConfiguration
        private let credentials: DevelopmentCredentials?

        /// - Parameter credentials: Every world gets their key and app, as the file has them if it does; nil for none.
        package init(_ configuration: GatewayConfiguration, _ credentials: DevelopmentCredentials?) {
            self.configuration = configuration
            self.credentials = credentials
        }

        /// - Parameters:
        ///   - bytes: JSON.
        ///   - name: The world that gets it. Fault rules for other worlds are left out.
        ///   - environment: That of the world, if the file names none; nil for that of the gateway.
        package func read(
            _ bytes: [UInt8], for name: WorldName, environment: APNSEnvironment? = nil
        ) throws(Problem) -> WorldFile {
            let (document, seed, state) = try WorldFile.parts(of: bytes)
            let isExport = ["apns-world", "state"].contains { document.member(named: $0, of: .root) != nil }
            var reader = YAMLReader(file: "", maximumErrors: WorldFile.maximumFound)
            var world = configuration
            world.namedWorlds = []
            world.environment = environment ?? world.environment
            // JSON is YAML, so what a configuration file may say about a world is read in one way.
            WorldFile.read(YAMLNode(document), into: &world, &reader)
            let (errors, more) = WorldFile.first(of: reader)
            guard errors.isEmpty else {
                let shown = errors.map { WorldFile.text(of: $0) }
                throw .badRequest(shown.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : ""))
            }
            if isExport { openToOwnKey(&world) }
            var start = world.worldStart(credentials)
            start.faults.removeAll { !$0.isFor(name) }
            start.setup.environment = world.environment
            start.setup.document = String(decoding: seed, as: UTF8.self)
            return WorldFile(environment: world.environment, start: start, state: state)
        }

        /// In the export of another gateway, an app of another team with the topic of the own app is not the own app, and the
        /// own key could not send to it. The first key of an export is that of the gateway that wrote it.
        private func openToOwnKey(_ world: inout GatewayConfiguration) {
            guard let credentials, world.keys.first?.keyID != credentials.keyID else { return }
            let own = RegisteredApp(topic: credentials.topic.bundleID, teamID: credentials.teamID.value)
            world.apps = world.apps.map { $0.topic == own.topic && $0.teamID != own.teamID ? own : $0 }
        }

        /// What a stored world begins with that was read from a file; nil for one that was not.
        ///
        /// - Parameter store: The path of the store, for the message.
        /// - Throws: Why the file cannot be read any more, or is of another environment than the world has now. Without it the
        ///   world would be another one.
        package func start(
            of name: WorldName, _ setup: WorldSetup, in store: String
        ) throws(GatewayError) -> WorldStart? {
            guard let document = setup.document else { return nil }
            let file: WorldFile
            do throws(Problem) {
                file = try read(Array(document.utf8), for: name, environment: setup.environment)
            } catch {
                throw GatewayError(
                    .badStore,
                    "the world \(name) of \(store) was made of a file that cannot be read any more, so nothing was started: "
                        + "\(error.detail); start with the limits and settings that it was made with")
            }
            if let environment = setup.environment, file.environment != environment {
                throw GatewayError(
                    .badStore,
                    "the world \(name) of \(store) was made of a file of the environment \(file.environment.rawValue), and it "
                        + "would start with \(environment.rawValue), so nothing was started: start it with the environment "
                        + "\(file.environment.rawValue), or name another file for the store")
            }
            var start = file.start
            start.setup = setup
            return start
        }
    }

    /// What is wrong with a file, in the order of the places in it. It does not look into `state`, and takes the limits of a
    /// gateway without options.
    ///
    /// - Parameter name: How messages name the file.
    package static func errors(in root: YAMLNode, name: String) -> [ConfigurationError] {
        var reader = YAMLReader(file: name, maximumErrors: maximumFound)
        var world = GatewayConfiguration()
        for (key, path, node) in read(root, into: &world, &reader) {
            switch key {
            case "apns-world" where node.text != "\(WorldDocument.version)":
                reader.report(
                    "\(node.shown) is given where \(WorldDocument.version) is expected; the file is of another version of apns",
                    at: node, path)
            case "name" where node.text.flatMap({ WorldName($0) }) == nil:
                reader.report("\(node.shown) is not the name of a world: \(WorldName.form)", at: node, path)
            default: break
            }
        }
        let (errors, more) = first(of: reader)
        return errors + (more > 0 ? [ConfigurationError(file: name, "there are \(more) more errors")] : [])
    }

    /// - Returns: The members of the file.
    @discardableResult
    private static func read(
        _ root: YAMLNode, into world: inout GatewayConfiguration, _ reader: inout YAMLReader
    ) -> WorldReader.Members {
        let members = reader.members(of: root, nil, known: WorldDocument.keys + GatewaySetting.keys(.world))
        let worlds = WorldReader(folder: "", environment: nil) { _ in throw FileNamed() }
        worlds.read(members, into: &world, &reader)
        return members
    }

    /// How many errors a message has.
    private static let maximumErrors = 5
    /// How many errors are found before the others are only counted: settings are read before lists, wherever they are in
    /// the file.
    private static let maximumFound = 200

    /// The errors that a message has, and how many there are beside them.
    private static func first(of reader: YAMLReader) -> (errors: [ConfigurationError], more: Int) {
        let found = reader.errors.sorted { ($0.line ?? 0, $0.column ?? 0) < ($1.line ?? 0, $1.column ?? 0) }
        let errors = Array(found.prefix(maximumErrors))
        return (errors, found.count - errors.count + reader.omitted)
    }

    /// What a file must not make the gateway do.
    private struct FileNamed: Error, CustomStringConvertible {
        let description = "another file cannot be named here; put its content in its place"
    }

    /// Reads a document, and splits it into what a configuration file may have, with `null` for the state, and the state.
    private static func parts(
        of bytes: [UInt8]
    ) throws(Problem) -> (document: JSONDocument, seed: [UInt8], state: [UInt8]?) {
        let document: JSONDocument
        do throws(JSONSyntaxError) {
            document = try JSONDocument(bytes)
        } catch {
            let place = LineIndex(bytes).location(of: error.offset)
            throw .badRequest("the world is not JSON: line \(place.line), column \(place.column): \(error.description)")
        }
        guard document.isObject(.root) else {
            throw .badRequest("a world is an object with keys such as \"apps\", \"registered-devices\" and \"state\"")
        }
        if let version = document.member("apns-world", of: .root),
            document.integer(of: version) != Int64(WorldDocument.version)
        {
            throw .badRequest(
                "\"apns-world\" is not \(WorldDocument.version): the file is of another version of apns",
                pointer: "/apns-world")
        }
        if let name = document.member("name", of: .root),
            document.string(of: name).flatMap({ WorldName($0) }) == nil
        {
            throw .badRequest("\"name\" is not the name of a world: \(WorldName.form)", pointer: "/name")
        }
        var (seed, saved) = (bytes, [UInt8]?.none)
        if let state = document.member("state", of: .root), document.kind(of: state) != .null {
            let range = document.range(of: state)
            saved = Array(bytes[range])
            seed.replaceSubrange(range, with: Array("null".utf8))
        }
        return (document, seed, saved)
    }

    private static func text(of error: ConfigurationError) -> String {
        let place = error.line.map { "line \($0), column \(error.column ?? 1): " } ?? ""
        return place + (error.key.map { "\($0): " } ?? "") + error.message
    }
}
