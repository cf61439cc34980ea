internal import PushQueue
internal import RedisClient

/// An entry of a stream, as the server gives it: its id and its fields.
struct JobEntry {
    let id: String
    /// When the server took it, in milliseconds since 1970; 0 where a stranger chose an id that is no such time.
    let time: Int64
    /// Names and values, in turn. A stranger's entry may repeat a name; then the first counts, except of the body.
    private let fields: [RedisValue]

    /// Nil for a value that is not an entry: of a removed one the server gives the id without fields.
    init?(_ value: RedisValue) {
        guard let parts = value.array, parts.count >= 2, let id = parts[0].string, let fields = parts[1].array else {
            return nil
        }
        self.id = id
        time = id.utf8.withContiguousStorageIfAvailable(JobEntry.time) ?? JobEntry.time(Array(id.utf8))
        self.fields = fields
    }

    func bytes(_ name: StaticString) -> [UInt8]? {
        var index = 0
        while index + 1 < fields.count {
            if let found = fields[index].bytes, name.withUTF8Buffer({ $0.elementsEqual(found) }) {
                return fields[index + 1].bytes
            }
            index += 2
        }
        return nil
    }

    func text(_ name: StaticString) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

    private static func text(_ value: RedisValue) -> String? {
        value.bytes.map { String(decoding: $0, as: UTF8.self) }
    }

    private static func time(_ id: some Collection<UInt8>) -> Int64 {
        var time: Int64 = 0
        var count = 0
        for digit in id {
            guard digit != UInt8(ascii: "-") else { break }
            guard count < 18, digit &- UInt8(ascii: "0") < 10 else { return 0 }
            time = time * 10 + Int64(digit - UInt8(ascii: "0"))
            count += 1
        }
        return time
    }

    /// More than this are no attempts that anything has counted.
    static let maximumAttempt = 1_000_000

    /// The fields of a job.
    private struct JobFields {
        var body: [UInt8]?
        var bodies = 0
        var attempt: String?
        var tenant: String?
        var key: String?
        var context: String?
        var lane: String?
    }

    private var jobFields: JobFields {
        var found = JobFields()
        for index in stride(from: 0, to: fields.count - 1, by: 2) {
            guard case .text(let name) = fields[index] else { continue }
            let value = fields[index + 1]
            switch name.count {
            case 1 where name[0] == UInt8(ascii: "b"):
                found.bodies += 1
                found.body = found.body ?? value.bytes
            case 1 where name[0] == UInt8(ascii: "a"): found.attempt = found.attempt ?? JobEntry.text(value)
            case 1 where name[0] == UInt8(ascii: "t"): found.tenant = found.tenant ?? JobEntry.text(value)
            case 1 where name[0] == UInt8(ascii: "c"): found.context = found.context ?? JobEntry.text(value)
            case 2 where name.elementsEqual("id".utf8): found.key = found.key ?? JobEntry.text(value)
            case 4 where name.elementsEqual("lane".utf8): found.lane = found.lane ?? JobEntry.text(value)
            default: break
            }
        }
        return found
    }

    /// The job, and what is wrong with the entry.
    ///
    /// - Parameter lane: Of a job in a stream of jobs; nil reads the field.
    func content(lane: LaneName?) -> (content: JobContent, flaw: String?) {
        let found = jobFields
        let lane = lane ?? found.lane.flatMap { LaneName($0) } ?? .normal
        guard let body = found.body else { return wreck(lane, "the entry has no field b") }
        guard found.bodies == 1 else {
            return wreck(lane, "the entry has \(found.bodies) fields b, and one job has one")
        }
        let attempt = found.attempt.map { Int($0) ?? -1 } ?? 0
        guard (0...JobEntry.maximumAttempt).contains(attempt) else {
            return wreck(lane, "the field a of the entry is not a number from 0 to \(JobEntry.maximumAttempt)")
        }
        return (
            JobContent(
                lane: lane, tenant: found.tenant, attempt: attempt, key: found.key, body: body, context: found.context),
            nil
        )
    }

    /// What is longer is cut here, or its settlement could be more than the server takes.
    static let maximumWreckBytes = 1 << 20

    /// A job whose body is all that the entry has, as one line of JSON, so that the dead letter can hold it.
    private func wreck(_ lane: LaneName, _ flaw: String) -> (content: JobContent, flaw: String?) {
        var line: [UInt8] = [UInt8(ascii: "{")]
        var isWhole = true
        for index in stride(from: 0, to: fields.count - 1, by: 2) where isWhole {
            if index > 0 { line.append(UInt8(ascii: ",")) }
            isWhole = JobEntry.quote(fields[index].bytes ?? [], &line)
            line.append(UInt8(ascii: ":"))
            isWhole = JobEntry.quote(fields[index + 1].bytes ?? [], &line) && isWhole
        }
        line.append(UInt8(ascii: "}"))
        let cut = "\(flaw); the entry is too large for the dead letter, which has the start of it"
        return (JobContent(lane: lane, body: line), isWhole ? flaw : cut)
    }

    /// Appends a JSON string, as long as the line is not too long.
    ///
    /// - Returns: Whether all of `bytes` is in the string.
    private static func quote(_ bytes: [UInt8], _ line: inout [UInt8]) -> Bool {
        line.append(UInt8(ascii: "\""))
        defer { line.append(UInt8(ascii: "\"")) }
        for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
            guard line.count < maximumWreckBytes else { return false }
            switch scalar {
            case "\"", "\\": line += [UInt8(ascii: "\\"), UInt8(scalar.value)]
            case "\u{0}"..."\u{1F}":
                let digits = String(scalar.value, radix: 16)
                line += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            default: line.append(contentsOf: scalar.utf8)
            }
        }
        return true
    }
}
