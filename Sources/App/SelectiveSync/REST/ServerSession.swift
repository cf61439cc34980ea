public import Foundation

/// The address of the org and the access token for it.
public struct ServerSession: Hashable, Sendable {
    /// The instance URL: scheme, host and possibly a port. Plain `http` is accepted only for the local machine.
    public var instance: URL
    public var accessToken: String

    public init(instance: URL, accessToken: String) {
        self.instance = instance
        self.accessToken = accessToken
    }
}

extension ServerSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Only the host, because neither a log nor a dump may show the access token.
    public var description: String { "session at \(instance.host ?? "?")" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["instance": instance]) }
}
