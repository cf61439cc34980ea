public import Foundation

/// The app as the CRM's authorization server knows it. No description shows the secret.
public struct OAuthApp: Hashable, Sendable {
    /// Where tokens are renewed, such as `https://login.example.com/services/oauth2/token`: https, or plain http on this
    /// machine.
    public var tokenAddress: URL
    public var clientID: String
    /// Only where the app has one; what is shipped inside an app is no secret.
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
