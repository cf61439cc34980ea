package import APNSModel

/// A connected app: the recipient app of its pushes and the credentials that sign them
/// (docs/reference/selective-sync.md 4.1).
package struct OrgApp: Hashable, Sendable {
    /// The API name, which push calls use.
    package var name: String
    package var namespace: String?
    /// The default `apns-topic`.
    package var bundleID: Topic
    /// Ten characters; nil if the app has no credentials.
    package var keyID: String?
    package var teamID: String?
    package var environment = APNSEnvironment.sandbox
    package var isPushEnabled = true
    /// The app's client id in OAuth.
    package var clientID: String
    /// Nil if the app has none.
    package var clientSecret: String?

    package init(_ name: String, bundleID: Topic, clientID: String? = nil) {
        self.name = name
        self.bundleID = bundleID
        self.clientID = clientID ?? name
    }

    /// Whether its pushes can be signed.
    package var hasCredentials: Bool { keyID != nil && teamID != nil }
}

extension OrgApp: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Omits the client secret, because a log must not contain it.
    package var description: String { "app \(name) (\(bundleID))" }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: ["name": name, "bundleID": bundleID]) }
}
