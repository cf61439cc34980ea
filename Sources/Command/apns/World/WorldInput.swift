import ConfigurationText
import GatewayConfiguration
import GatewayJSON
import PayloadJSON

/// A world in a file: JSON as it was exported, or YAML as in a configuration file.
struct WorldInput {
    /// How messages name the file.
    let name: String
    /// What the gateway gets.
    let json: [UInt8]
    private let root: YAMLNode

    /// - Parameters:
    ///   - bytes: YAML if the name ends in `.yaml` or `.yml`, or if they do not begin as a JSON object or array.
    ///   - name: How messages name the file.
    init(_ bytes: [UInt8], name: String) throws(ConfigurationError) {
        self.name = name
        if WorldInput.isYAML(bytes, name) {
            guard let root = try YAMLText.read(bytes, name: name), !root.isNothing else {
                throw ConfigurationError(file: name, "it is empty, where a world is expected")
            }
            guard let json = PlacedJSON(root, maximumBytes: WorldDocument.maximumBytes) else {
                throw ConfigurationError(file: name, "its aliases stand for more than a world may have")
            }
            (self.root, self.json) = (root, json.bytes)
        } else {
            (root, json) = (YAMLNode(try WorldInput.document(bytes, name)), bytes)
        }
    }

    private static func isYAML(_ bytes: [UInt8], _ name: String) -> Bool {
        if name.hasSuffix(".yaml") || name.hasSuffix(".yml") { return true }
        let first = bytes.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        return first != UInt8(ascii: "{") && first != UInt8(ascii: "[")
    }

    private static func document(_ bytes: [UInt8], _ name: String) throws(ConfigurationError) -> JSONDocument {
        do throws(JSONSyntaxError) {
            return try JSONDocument(bytes)
        } catch {
            let place = LineIndex(bytes).location(of: error.offset)
            throw ConfigurationError(
                file: name, line: place.line, column: place.column, "it is not JSON: \(error.description)")
        }
    }

    /// Why the gateway refused the file, with places in it.
    ///
    /// - Parameter detail: What the gateway said. Its places are in what it got.
    func refusal(_ detail: String) -> String {
        let errors = WorldFile.errors(in: root, name: name)
        guard errors.isEmpty else { return errors.map { PlainText.safe($0.description) }.joined(separator: "\n") }
        let message = detail.replacing(#/line [0-9]+, column [0-9]+: /#, with: "")
        return PlainText.safe(message == detail ? detail : "\(name): \(message)")
    }
}
