/// Signs provider tokens with a key that this process need not have, such as one in a KMS or an HSM. `SigningKey`, the `.p8`
/// file, is the default one.
///
/// A `ProviderTokenSource` asks for about one signature in 50 minutes, and for no second one while it waits. Until the first
/// one is there, notifications wait, each until its own deadline; so give up after some seconds if the service is silent.
public protocol ProviderTokenSigner: Sendable {
    /// Signs with ECDSA on P-256 and SHA-256 (ES256).
    ///
    /// - Parameter message: About 100 bytes. A service that signs a digest gets the SHA-256 of them.
    /// - Returns: r, then s, 32 bytes each. A signature in DER, as most services return it, is accepted too.
    /// - Throws: Any error. The notifications that wait are unsent then, with code `signing-failed` and the error's
    ///   description, so it must not contain a secret. The next attempt comes after 1 s, later ones after up to 60 s.
    func signature(for message: [UInt8]) async throws -> [UInt8]
}

extension SigningKey: ProviderTokenSigner {}
