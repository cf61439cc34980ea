public import Foundation

/// Where the org is and what opens it.
public struct ServerSession: Hashable, Sendable {
    /// Scheme and host, perhaps a port: the session's instance URL. Plain `http` is taken only for this machine.
    public var instance: URL
    public var accessToken: String

    public init(instance: URL, accessToken: String) {
        self.instance = instance
        self.accessToken = accessToken
    }
}

extension ServerSession: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The host alone: a log must not get the access token, nor must a dump.
    public var description: String { "session at \(instance.host ?? "?")" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["instance": instance]) }
}
