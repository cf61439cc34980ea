internal import PushQueue
internal import RedisClient

/// An entry of a stream, as the server gives it: its id and its fields.
struct JobEntry {
    let id: String
    /// Names and values, in turn. A stranger's entry may repeat a name; then the first counts, except of the body.
    private let fields: [RedisValue]

    /// Nil for a value that is not an entry: of a removed one the server gives the id without fields.
    init?(_ value: RedisValue) {
        guard let parts = value.array, parts.count >= 2, let id = parts[0].string, let fields = parts[1].array else {
            return nil
        }
        self.id = id
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

    private func count(_ name: StaticString) -> Int {
        stride(from: 0, to: fields.count - 1, by: 2).count { index in
            name.withUTF8Buffer { $0.elementsEqual(fields[index].bytes ?? []) }
        }
    }

    func text(_ name: StaticString) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }

    /// When the server took it, in milliseconds since 1970.
    var time: Int64 { Int64(Substring(id.utf8.prefix { $0 != UInt8(ascii: "-") })) ?? 0 }

    /// More than this are no attempts that anything has counted.
    static let maximumAttempt = 1_000_000

    /// The job, and what is wrong with the entry.
    ///
    /// - Parameter lane: Of a job in a stream of jobs; nil reads the field.
    func content(lane: LaneName?) -> (content: JobContent, flaw: String?) {
        let lane = lane ?? text("lane").flatMap { LaneName($0) } ?? .normal
        guard let body = bytes("b") else { return wreck(lane, "the entry has no field b") }
        guard count("b") == 1 else { return wreck(lane, "the entry has \(count("b")) fields b, and one job has one") }
        let attempt = text("a").map { Int($0) ?? -1 } ?? 0
        guard (0...JobEntry.maximumAttempt).contains(attempt) else {
            return wreck(lane, "the field a of the entry is not a number from 0 to \(JobEntry.maximumAttempt)")
        }
        return (
            JobContent(
                lane: lane, tenant: text("t"), attempt: attempt, key: text("id"), body: body, context: text("c")), nil
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
