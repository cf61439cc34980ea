import APNSModel
package import PushDispatch

/// Reads members of a JSON object from outside, with limits.
package struct WireMembers {
    package let members: [String: JSONValue]
    /// Where the object is, such as `context`; empty for the body.
    package let place: String

    package init(_ value: JSONValue?, _ place: String) throws(WireError) {
        guard let members = value?.object else {
            let found = value.map(\.kindInWords) ?? "missing"
            throw .bad("\(place.isEmpty ? "the body" : place) is \(found); an object is wanted")
        }
        self.members = members
        self.place = place
    }

    package func path(_ key: String) -> String { place.isEmpty ? key : "\(place).\(key)" }

    /// A non-empty string of at most `limit` bytes; a number is taken as text. Nil where it is missing or null.
    package func text(_ key: String, limit: Int = WireLimits.name) throws(WireError) -> String? {
        guard let value = members[key], value != .null else { return nil }
        guard let text = ScalarText.text(value) else {
            throw .bad("\(path(key)) is \(value.kindInWords); a string is wanted")
        }
        guard !text.isEmpty else { throw .bad("\(path(key)) is empty") }
        guard text.utf8.count <= limit else { throw .bad("\(path(key)) is longer than \(limit) bytes") }
        return text
    }

    /// Throws for a string or number of more than 255 bytes; an empty one counts as missing.
    package func checkLength(_ key: String) throws(WireError) {
        guard let value = members[key].flatMap({ ScalarText.text($0) }) else { return }
        guard value.utf8.count <= WireLimits.name else {
            throw .bad("\(path(key)) is longer than \(WireLimits.name) bytes")
        }
    }

    /// Custom values by name: scalars as text.
    package func scalars(except reserved: Set<String>, limit: Int) throws(WireError) -> [String: String] {
        var values: [String: String] = [:]
        for (name, value) in members.sorted(by: { $0.key < $1.key }) where !reserved.contains(name) {
            guard value != .null else { continue }
            let shown = ShownText.quoted(name)
            guard let text = ScalarText.text(value) else {
                throw .bad("\(place): \(shown) is \(value.kindInWords); a string, a number or a Boolean is wanted")
            }
            guard !name.isEmpty, name.utf8.count <= WireLimits.name else {
                throw .bad("\(place): the name \(shown) is empty or longer than \(WireLimits.name) bytes")
            }
            guard text.utf8.count <= WireLimits.value else {
                throw .bad("\(place): \(shown) is longer than \(WireLimits.value) bytes")
            }
            guard values.count < limit else { throw .bad("\(place) has more than \(limit) values") }
            values[name] = text
        }
        return values
    }

    package static func json(_ body: [UInt8]) throws(WireError) -> JSONValue {
        guard body.count <= WireLimits.body else {
            throw .bad("the body has more than \(WireLimits.body) bytes")
        }
        do throws(JSONReadError) {
            return try JSONReader.read(
                body, limits: JSONLimits(maximumBytes: WireLimits.body, maximumDepth: 16, maximumValues: 200_000))
        } catch {
            throw .bad("the body is \(error)")
        }
    }
}

/// How much a request to a simulated service may contain, against hostile input.
package enum WireLimits {
    /// Of a request, in bytes.
    package static let body = 1_048_576
    /// Of an id or a name, in UTF-8 bytes.
    package static let name = 255
    /// Of a value, in UTF-8 bytes.
    package static let value = 4_096
}
