package import APNSModel
import ConfigurationText
package import DevelopmentCredentials
package import GatewayCore
package import GatewayJSON
import PayloadJSON

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

        /// - Parameter credentials: Every world gets their key and app; nil for none.
        package init(_ configuration: GatewayConfiguration, _ credentials: DevelopmentCredentials?) {
            self.configuration = configuration
            self.credentials = credentials
        }

        /// - Parameter bytes: JSON.
        package func read(_ bytes: [UInt8]) throws(Problem) -> WorldFile {
            let (seed, state) = try WorldFile.parts(of: bytes)
            let root: YAMLNode?
            do throws(ConfigurationError) {
                root = try YAMLText.read(seed, name: "")
            } catch {
                throw .badRequest(WorldFile.text(of: error))
            }
            guard let root else { throw .badRequest("the world is empty") }
            var reader = YAMLReader(file: "")
            // JSON is YAML, so what a configuration file may say about a world is read in one way.
            let members = reader.members(of: root, nil, known: WorldDocument.keys + GatewaySetting.keys(.world))
            let worlds = WorldReader(folder: "", environment: nil) { _ in throw FileNamed() }
            var world = configuration
            world.namedWorlds = []
            worlds.read(members, into: &world, &reader)
            guard reader.errors.isEmpty else {
                let shown = reader.errors.prefix(5).map { WorldFile.text(of: $0) }
                let more = reader.errors.count - shown.count
                throw .badRequest(shown.joined(separator: "; ") + (more > 0 ? "; and \(more) more" : ""))
            }
            var start = world.worldStart(credentials)
            start.setup.environment = world.environment
            start.setup.document = String(decoding: seed, as: UTF8.self)
            return WorldFile(environment: world.environment, start: start, state: state)
        }
    }

    /// What a file must not make the gateway do.
    private struct FileNamed: Error, CustomStringConvertible {
        let description = "another file cannot be named here; put its content in its place"
    }

    /// Splits a document into what a configuration file may have, with `null` for the state, and the state.
    private static func parts(of bytes: [UInt8]) throws(Problem) -> (seed: [UInt8], state: [UInt8]?) {
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
        guard seed.count <= WorldDocument.maximumSeedBytes else {
            throw .badRequest(
                "the world has more than \(WorldDocument.maximumSeedBytes) bytes beside \"state\"; leave out what is "
                    + "not needed")
        }
        return (seed, saved)
    }

    private static func text(of error: ConfigurationError) -> String {
        let place = error.line.map { "line \($0), column \(error.column ?? 1): " } ?? ""
        return place + (error.key.map { "\($0): " } ?? "") + error.message
    }
}
