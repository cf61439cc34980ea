internal import PostgresClient
internal import PushQueue

/// Jobs as columns: an array for each, so that a statement takes any number of jobs.
struct JobColumns {
    private var lanes: [String?] = []
    private var tenants: [String?] = []
    private var attempts: [String?] = []
    private var keys: [String?] = []
    private var bodies: [String?] = []
    private var raws: [String?] = []
    private var contexts: [String?] = []

    mutating func append(_ content: JobContent) {
        lanes.append(content.lane.text)
        tenants.append(content.tenant)
        attempts.append(String(min(content.attempt, Int(Int32.max))))
        keys.append(content.key)
        let text = content.body.contains(0) ? nil : String(validating: content.body, as: UTF8.self)
        bodies.append(text)
        raws.append(text == nil ? Hexadecimal.text(content.body) : nil)
        contexts.append(content.context)
    }

    /// In the order of the statements: lane, tenant, attempt, key, body, raw, context.
    var parameters: [String?] {
        [lanes, tenants, attempts, keys, bodies, raws, contexts].map { PostgresArray.text($0) }
    }

    /// In the order of the statement for plain jobs: lane, tenant, body, raw.
    var plainParameters: [String?] { [lanes, tenants, bodies, raws].map { PostgresArray.text($0) } }
}

/// Due times as two columns, of which one is NULL: a time, and a wait, both in milliseconds.
struct DueColumns {
    private var times: [String?] = []
    private var waits: [String?] = []

    mutating func append(_ due: DueTime?) {
        switch due {
        case nil:
            times.append(nil)
            waits.append(nil)
        case .at(let milliseconds):
            times.append(String(milliseconds))
            waits.append(nil)
        case .after(let wait):
            times.append(nil)
            waits.append(String(wait.seconds * 1000))
        }
    }

    var parameters: [String?] { [PostgresArray.text(times), PostgresArray.text(waits)] }
}

extension Duration {
    var seconds: Double {
        let (seconds, attoseconds) = components
        return Double(seconds) + Double(attoseconds) / 1e18
    }
}

/// The text form of `bytea`.
enum Hexadecimal {
    private static let digits = Array("0123456789abcdef".utf8)

    static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = Array("\\x".utf8)
        text.reserveCapacity(2 * bytes.count + 2)
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    static func bytes(_ text: String) -> [UInt8] {
        let digits = text.utf8.dropFirst(2).map { UInt8($0 < 0x40 ? $0 - 0x30 : ($0 | 0x20) - 0x61 + 10) }
        return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] & 15 }
    }
}
