public import Foundation

/// The app's registration with the CRM's authorization server. No description shows the secret.
public struct OAuthApp: Hashable, Sendable {
    /// The token endpoint, such as `https://login.example.com/services/oauth2/token`: https, or http to the local machine.
    public var tokenAddress: URL
    public var clientID: String
    /// Only if the app has one. A value that is shipped inside an app is not really secret.
    public var clientSecret: String?

    public init(tokenAddress: URL, clientID: String, clientSecret: String? = nil) {
        self.tokenAddress = tokenAddress
        self.clientID = clientID
        self.clientSecret = clientSecret
    }
}

extension OAuthApp: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "app at \(tokenAddress.host ?? "?")" }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: ["tokenAddress": tokenAddress]) }
}
