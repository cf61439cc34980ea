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
        guard let label = WorldName.label(of: host) else { return nil }
        self.init(label)
    }

    /// The same for the value of `:authority`, which may have a port.
    package init?(authority: some StringProtocol) { self.init(host: WorldName.host(of: authority)) }

    /// Whether a host name ends with `.localhost` and its label is not a valid world name: such a client means a world.
    package static func isInvalid(host: some StringProtocol) -> Bool {
        label(of: host).map { WorldName($0) == nil } ?? false
    }

    /// The same for the value of `:authority`.
    package static func isInvalid(authority: some StringProtocol) -> Bool { isInvalid(host: host(of: authority)) }

    /// The label before `.localhost`; nil for another host.
    private static func label(of host: some StringProtocol) -> Substring? {
        var host = host.lowercased()
        if host.hasSuffix(".") { host.removeLast() }
        return host.hasSuffix(domain) ? host.dropLast(domain.count) : nil
    }

    private static func host(of authority: some StringProtocol) -> String {
        String(authority.lastIndex(of: ":").map { authority[..<$0] } ?? authority[...])
    }

    /// What a sender connects to.
    package var host: String { text + WorldName.domain }

    package var description: String { text }

    /// The form of a name, for messages.
    package static let form = "1 to 63 letters, digits and hyphens, with no hyphen at either end"
}
