/// Stores the tokens of the user. `KeychainTokenStorage` uses the keychain, readable after the first unlock, because a push can
/// arrive while the device is locked; `FileTokenStorage` uses a private file.
public protocol TokenStorage: Sendable {
    /// Nil if nobody is logged in.
    ///
    /// - Throws: If the storage cannot be read now. The user stays logged in, and the next call tries again.
    func load() async throws -> OAuthTokens?

    /// Replaces the stored tokens. They have to be stored durably when this returns.
    func save(_ tokens: OAuthTokens) async throws

    func clear() async throws
}

/// A storage in memory, for tests.
public actor MemoryTokenStorage: TokenStorage {
    private var tokens: OAuthTokens?

    public init(_ tokens: OAuthTokens? = nil) { self.tokens = tokens }

    public func load() -> OAuthTokens? { tokens }

    public func save(_ tokens: OAuthTokens) { self.tokens = tokens }

    public func clear() { tokens = nil }
}
