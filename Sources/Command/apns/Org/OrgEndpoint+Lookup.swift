import PushDispatch

extension OrgEndpoint {
    /// The user to act as: `name`, or the org's first person where no name was given.
    func user(_ name: String?) async throws -> String {
        if let name { return name }
        return OrgEndpoint.firstPerson(in: try await call("GET", ""))
    }

    /// - Parameter state: The answer to `GET /simulator/`.
    /// - Returns: The name of the first user of the kind `person`, or else of the first user; empty where there is none.
    static func firstPerson(in state: JSONValue) -> String {
        let users = state.object?["users"]?.array?.compactMap(\.object) ?? []
        let first = users.first { $0["kind"] == "person" } ?? users.first
        return first?["name"]?.string ?? ""
    }

    /// `text` in a query, with everything but ASCII letters and digits percent-encoded.
    static func encoded(_ text: String) -> String {
        text.utf8.map { byte in
            let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5a).contains(byte) || (0x61...0x7a).contains(byte)
            return isPlain ? String(UnicodeScalar(byte)) : "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }
}
