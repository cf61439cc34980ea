package import ConfigurationText
package import GatewayCore
package import GatewayJSON
import PayloadJSON

/// Fault rules in a file: an array of them, or one rule. A file named `.yaml` or `.yml` is YAML, one named `.ndjson` or
/// `.jsonl` has a JSON object on each line, any other is JSON.
package enum FaultFile {
    /// The largest file, in bytes.
    package static let maximumBytes = 1 << 20

    /// - Parameter name: How messages name the file; its extension selects the format.
    /// - Throws: What is wrong and what is expected, with file, line and column.
    package static func rules(in bytes: [UInt8], name: String) throws(GatewayError) -> [FaultRule] {
        do throws(Problem) {
            if name.hasSuffix(".yaml") || name.hasSuffix(".yml") {
                return try rules(elements(ofYAML: bytes)) { node throws(Problem) in [try body(node)] }
            }
            return try rules(lines(of: bytes, name)) { part throws(Problem) in
                try ControlBody.objects(in: part.text, firstLine: part.line, keys: FaultRule.keys)
            }
        } catch {
            throw GatewayError(.badConfiguration, "\(name): \(error.detail)")
        }
    }

    /// A rule as YAML; messages name places in the YAML.
    package static func body(
        _ node: YAMLNode, keys: [String] = FaultRule.keys
    ) throws(Problem) -> ControlBody {
        guard let json = PlacedJSON(node) else {
            let mark = node.mark.map { "line \($0.line), column \($0.column): " } ?? ""
            throw .badRequest(mark + "this is too long, or nests too deep, for a fault rule")
        }
        return try ControlBody(json, keys: keys)
    }

    private static func rules<Part>(
        _ parts: [Part], _ bodies: (Part) throws(Problem) -> [ControlBody]
    ) throws(Problem) -> [FaultRule] {
        let maximum = WorldSettings().maximumFaults
        var rules: [FaultRule] = []
        for part in parts {
            for body in try bodies(part) {
                guard rules.count < maximum else {
                    throw body.problem("there are more than \(maximum) fault rules, the limit of this gateway")
                }
                rules.append(try FaultRule(body))
            }
        }
        return rules
    }

    private static func elements(ofYAML bytes: [UInt8]) throws(Problem) -> [YAMLNode] {
        do throws(ConfigurationError) {
            guard let root = try YAMLText.read(bytes, name: ""), !root.isNothing else { return [] }
            return root.sequence ?? [root]
        } catch {
            let place = error.line.map { "line \($0), column \(error.column ?? 1): " } ?? ""
            throw .badRequest(place + error.message)
        }
    }

    private static func lines(of bytes: [UInt8], _ name: String) -> [(line: Int, text: [UInt8])] {
        guard name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") else { return [(1, bytes)] }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { number, line in
            line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? nil : (number + 1, Array(line))
        }
    }
}
