package import GatewayCore

/// Fault rules in a file: a JSON array of them, or one rule. A file named `.ndjson` or `.jsonl` has one on each line.
package enum FaultFile {
    /// The largest file, in bytes.
    package static let maximumBytes = 1 << 20

    /// - Parameter name: How messages name the file; its ending tells the form.
    /// - Throws: What is wrong, with file, line and column, and what is wanted.
    package static func rules(in bytes: [UInt8], name: String) throws(GatewayError) -> [FaultRule] {
        do throws(Problem) {
            let maximum = WorldSettings().maximumFaults
            var rules: [FaultRule] = []
            for (line, text) in parts(of: bytes, name) {
                for body in try ControlBody.objects(in: text, firstLine: line, keys: FaultRule.keys) {
                    guard rules.count < maximum else {
                        throw body.problem("there are more than \(maximum) fault rules, the limit of this gateway")
                    }
                    let rule = try FaultRule(body)
                    if let until = rule.until, until <= WallClock.milliseconds {
                        throw body.wrong("until", "a time that is not over already")
                    }
                    rules.append(rule)
                }
            }
            return rules
        } catch {
            throw GatewayError(.badConfiguration, "\(name): \(error.detail)")
        }
    }

    private static func parts(of bytes: [UInt8], _ name: String) -> [(line: Int, text: [UInt8])] {
        guard name.hasSuffix(".ndjson") || name.hasSuffix(".jsonl") else { return [(1, bytes)] }
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        return lines.enumerated().compactMap { number, line in
            line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D } ? nil : (number + 1, Array(line))
        }
    }
}
