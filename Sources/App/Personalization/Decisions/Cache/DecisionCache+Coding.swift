import EventDelivery
import PushDispatch

/// The form of a stored cache: a line with version, hash and length, and then JSON.
extension DecisionCache {
    /// Why stored bytes cannot be read.
    struct Damage: Error, Hashable { var detail: String }

    private static let name = "personalization-decisions"
    private static let version = 1

    /// The limit for a file: the JSON of the entries with their keys escaped. A byte of a key becomes at most six.
    var maximumStoredBytes: Int { min(max(0, limits.maximumBytes), .max / 16) * 8 + 65_536 }

    /// The reply without what was left out of it.
    static func json(_ reply: DecisionReply) -> [UInt8] {
        var bytes: [UInt8] = []
        JSONValue.appendObject(
            [
                ("requestId", reply.requestID.map(JSONValue.string) ?? .null),
                ("personalizations", .array(reply.decisions.map { .object($0.members) })),
            ], to: &bytes)
        return bytes
    }

    func encoded() -> [UInt8] {
        var body = Array(#"{"entries":["#.utf8)
        for (index, (key, entry)) in byUse.enumerated() {
            if index > 0 { body.append(UInt8(ascii: ",")) }
            body += #"{"user":"#.utf8
            JSONValue.append(key.user, to: &body)
            body += #","request":"#.utf8
            JSONValue.append(key.request, to: &body)
            body += #","receivedAt":\#(entry.receivedAt.milliseconds),"reply":"#.utf8
            body += entry.json
            body.append(UInt8(ascii: "}"))
        }
        body += "]}".utf8
        let hash = StableHash.hex(StableHash.of(body))
        return Array("\(DecisionCache.name) \(DecisionCache.version) \(hash) \(body.count)\n".utf8) + body
    }

    /// Takes over stored entries. Those that were kept since then are newer and stay.
    mutating func load(_ stored: [UInt8]) throws(Damage) {
        for (key, receivedAt, reply) in try DecisionCache.entries(stored, maximumBytes: maximumStoredBytes)
        where !contains(key) {
            keep(reply, for: key, receivedAt: receivedAt)
        }
    }

    private static func entries(
        _ stored: [UInt8], maximumBytes: Int
    ) throws(Damage) -> [(Key, EventTime, DecisionReply)] {
        guard let end = stored.prefix(200).firstIndex(of: UInt8(ascii: "\n")) else {
            throw Damage(detail: "has no first line of this format")
        }
        let header = String(decoding: stored[..<end], as: UTF8.self).split(separator: " ")
        guard header.count == 4, header[0] == name else { throw Damage(detail: "is not a file of this library") }
        guard header[1] == "\(version)" else { throw Damage(detail: "is of another version of this library") }
        let body = Array(stored[(end + 1)...])
        guard header[3] == "\(body.count)", header[2] == StableHash.hex(StableHash.of(body)) else {
            throw Damage(detail: "was changed or cut off")
        }
        let limits = JSONLimits(
            maximumBytes: maximumBytes, maximumDepth: 40, maximumValues: max(1, maximumBytes / 4))
        guard let value = try? JSONReader.read(body, limits: limits), let list = value.object?["entries"]?.array else {
            throw Damage(detail: "is not JSON of this format")
        }
        // An entry that cannot be read is left out: it was written by another version with other limits.
        return list.compactMap { element in
            guard let members = element.object, let user = members["user"]?.string,
                let request = members["request"]?.string, case .integer(let time)? = members["receivedAt"],
                let value = members["reply"], let reply = try? DecisionReply.read(value, points: nil)
            else { return nil }
            return (Key(user: user, request: request), EventTime(milliseconds: time), reply)
        }
    }
}
