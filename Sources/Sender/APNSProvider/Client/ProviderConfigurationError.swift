/// A `ProviderConfiguration` has a gateway, certificate, key or authority that cannot be used.
public struct ProviderConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do about it, in a sentence without secrets.
    public var detail: String

    public var description: String { detail }
}
