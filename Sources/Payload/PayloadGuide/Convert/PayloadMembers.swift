import APNSPayload
import PayloadJSON

/// A JSON object that is made member by member. A key that is set again keeps its place.
struct PayloadMembers {
    private var members: [(key: String, json: [UInt8])] = []

    var isEmpty: Bool { members.isEmpty }
    var count: Int { members.count }

    func has(_ key: String) -> Bool { members.contains { $0.key == key } }

    mutating func set(_ key: String, _ json: [UInt8]) {
        if let place = members.firstIndex(where: { $0.key == key }) {
            members[place].json = json
        } else {
            members.append((key, json))
        }
    }

    mutating func set(_ key: String, _ text: String) { set(key, JSONText.string(text).bytes) }

    mutating func setOne(_ key: String) { set(key, [UInt8(ascii: "1")]) }

    /// Adds a key that the object does not have, before the member at this place.
    mutating func insert(_ key: String, _ json: [UInt8], at place: Int) { members.insert((key, json), at: place) }

    var json: [UInt8] {
        JSONText.object { object in
            for member in members { object.add(name: member.key, json: member.json) }
        }.bytes
    }
}

enum CompactBytes {
    /// The value in a range of well-formed JSON, without white space between its tokens.
    static func of(_ bytes: [UInt8], _ range: Range<Int>) -> [UInt8] { CompactJSON.compact(bytes, in: range).bytes }
}
