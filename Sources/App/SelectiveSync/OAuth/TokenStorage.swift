/// Where an app keeps the tokens of its user: the keychain, readable after the first unlock, because a push may come while
/// the device is locked.
public protocol TokenStorage: Sendable {
    /// Nil where nobody is logged in.
    ///
    /// - Throws: Where the storage cannot be read now. That is no log-out: the next call tries again.
    func load() async throws -> OAuthTokens?

    /// Keeps the tokens in place of the former ones; they have to be safe when this returns.
    func save(_ tokens: OAuthTokens) async throws

    func clear() async throws
}

/// A storage that lives as long as the process, for tests.
public actor MemoryTokenStorage: TokenStorage {
    private var tokens: OAuthTokens?

    public init(_ tokens: OAuthTokens? = nil) { self.tokens = tokens }

    public func load() -> OAuthTokens? { tokens }

    public func save(_ tokens: OAuthTokens) { self.tokens = tokens }

    public func clear() { tokens = nil }
}
