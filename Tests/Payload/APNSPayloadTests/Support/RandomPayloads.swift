import APNSModel
import APNSPayload
import TestSeeds

/// Random payloads of known keys with valid, nearly valid and wrong values.
struct RandomPayloads {
    private var generator: TestGenerator

    init(seed: TestSeed) { generator = seed.generator }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    mutating func next() -> [UInt8] {
        var payload = below(40) == 0 ? scalar() : object(in: .root)
        // Makes some of them invalid JSON.
        if below(20) == 0 { payload = String(payload.dropLast(below(4))) }
        if below(20) == 0 { payload += " ]" }
        return Array(payload.utf8)
    }

    private mutating func object(in container: PayloadKey.Container) -> String {
        let rows = PayloadKey.all(in: container)
        var members: [String] = []
        if container == .root, below(12) > 0 { members.append("\"aps\":\(object(in: .aps))") }
        for _ in 0..<below(5) {
            let row = rows[below(rows.count)]
            members.append("\(key(row.name)):\(value(of: row.key))")
        }
        if below(4) == 0 { members.append("\"custom\":\(scalar())") }
        if below(12) == 0, let again = members.first { members.append(again) }
        members.shuffle(using: &generator)
        return "{" + members.joined(separator: ",") + "}"
    }

    /// A key, sometimes misspelt or with an escape.
    private mutating func key(_ name: String) -> String {
        switch below(16) {
        case 0: "\"\(name.uppercased())\""
        case 1: "\"\(name.dropLast())\""
        case 2: "\"\\u00\(String(name.utf8.first ?? 0, radix: 16))\(name.dropFirst())\""
        default: "\"\(name)\""
        }
    }

    private mutating func value(of key: KnownKey) -> String {
        let inner: [KnownKey: PayloadKey.Container] = [
            .aps: .aps, .alert: .alert, .sound: .sound, .alertTitle: .titleText, .alertBody: .bodyText,
        ]
        if let container = inner[key], below(3) > 0 { return object(in: container) }
        if below(3) == 0, let value = key.row.values.first { return "\"\(value)\"" }
        return scalar()
    }

    private mutating func scalar() -> String {
        let values = [
            "1", "0", "true", "false", "null", "1.0", "-1", "2.5", "1e3", "\"1\"", "\"\"", "\"Hi\"", "\"start\"",
            "\"default\"", "\"ACCOUNT_UPDATE\"", "\"INTERACTION\"", "\"001xx000003DGb2AAG\"", "[]", "{}",
            "[\"a\",\"b\"]",
            "[1]", "{\"a\":1,\"a\":2}", "{\"loc-key\":\"A\",\"loc-args\":[]}", "1767225600", "1767225600000", "1e400",
            "\"é😀\"", "\"\\u0031\"",
        ]
        return values[below(values.count)]
    }
}
