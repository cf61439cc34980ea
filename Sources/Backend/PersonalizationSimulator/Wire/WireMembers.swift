import APNSModel
import PushDispatch

/// Reads members of a JSON object from outside, with limits.
struct WireMembers {
    let members: [String: JSONValue]
    /// Where the object is, such as `context`; empty for the body.
    let place: String

    init(_ value: JSONValue?, _ place: String) throws(WireError) {
        guard let members = value?.object else {
            let found = value.map(\.kindInWords) ?? "missing"
            throw .bad("\(place.isEmpty ? "the body" : place) is \(found); an object is wanted")
        }
        self.members = members
        self.place = place
    }

    func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    /// A non-empty string of at most `limit` bytes; a number is taken as text. Nil where it is missing or null.
    func text(_ key: String, limit: Int = ServiceLimits.name) throws(WireError) -> String? {
        guard let value = members[key], value != .null else { return nil }
        guard let text = ScalarText.text(value) else {
            throw .bad("\(path(key)) is \(value.kindInWords); a string is wanted")
        }
        guard !text.isEmpty else { throw .bad("\(path(key)) is empty") }
        guard text.utf8.count <= limit else { throw .bad("\(path(key)) is longer than \(limit) bytes") }
        return text
    }

    /// Throws for a string or number of more than 255 bytes; an empty one counts as missing.
    func checkLength(_ key: String) throws(WireError) {
        guard let value = members[key].flatMap({ ScalarText.text($0) }) else { return }
        guard value.utf8.count <= ServiceLimits.name else {
            throw .bad("\(path(key)) is longer than \(ServiceLimits.name) bytes")
        }
    }

    /// Custom values by name: scalars as text.
    func scalars(except reserved: Set<String>, limit: Int) throws(WireError) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where !reserved.contains(name) {
            guard value != .null else { continue }
            let shown = ShownText.quoted(name)
            guard let text = ScalarText.text(value) else {
                throw .bad("\(place): \(shown) is \(value.kindInWords); a string, a number or a Boolean is wanted")
            }
            guard !name.isEmpty, name.utf8.count <= ServiceLimits.name else {
                throw .bad("\(place): the name \(shown) is empty or longer than \(ServiceLimits.name) bytes")
            }
            guard text.utf8.count <= ServiceLimits.value else {
                throw .bad("\(place): \(shown) is longer than \(ServiceLimits.value) bytes")
            }
            guard values.count < limit else { throw .bad("\(place) has more than \(limit) values") }
            values[name] = text
        }
        return values
    }

    static func json(_ body: [UInt8]) throws(WireError) -> JSONValue {
        guard body.count <= ServiceLimits.body else {
            throw .bad("the body has more than \(ServiceLimits.body) bytes")
        }
        do throws(JSONReadError) {
            return try JSONReader.read(
                body, limits: JSONLimits(maximumBytes: ServiceLimits.body, maximumDepth: 16, maximumValues: 200_000))
        } catch {
            throw .bad("the body is \(error)")
        }
    }
}
