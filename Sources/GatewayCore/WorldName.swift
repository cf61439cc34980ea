/// The name of a world: one label of a host name, in lower case.
package struct WorldName: Hashable, Sendable, CustomStringConvertible {
    package let text: String

    /// The world of requests that name none.
    package static let standard = WorldName(checked: "default")

    private static let domain = ".localhost"
    private static let maximumBytes = 63

    private init(checked text: String) { self.text = text }

    /// Fails unless `text` has 1 to 63 ASCII letters, digits and hyphens, with no hyphen at either end.
    package init?(_ text: some StringProtocol) {
        guard (1...WorldName.maximumBytes).contains(text.utf8.count), !text.hasPrefix("-"), !text.hasSuffix("-"),
            text.utf8.allSatisfy({ byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                    true
                default: false
                }
            })
        else { return nil }
        self.text = text.lowercased()
    }

    /// The world that a host name of the form `{name}.localhost` stands for; nil for any other.
    package init?(host: some StringProtocol) {
        var host = host.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        guard host.hasSuffix(WorldName.domain) else { return nil }
        self.init(host.dropLast(WorldName.domain.count))
    }

    /// The same for the value of `:authority`, which may have a port.
    package init?(authority: some StringProtocol) {
        let host = authority.lastIndex(of: ":").map { authority[..<$0] } ?? authority[...]
        self.init(host: host)
    }

    /// What a sender connects to.
    package var host: String { text + WorldName.domain }

    package var description: String { text }

    /// What a name may be, for messages.
    package static let form = "1 to 63 letters, digits and hyphens, with no hyphen at either end"
}
