/// Something in a `ProviderConfiguration` cannot be used.
public struct ProviderConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong and what to do, in a sentence without secrets.
    public var detail: String

    public var description: String { detail }
}
