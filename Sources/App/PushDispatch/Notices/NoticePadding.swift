/// The padding of a secret before RSA.
public enum NoticePadding: Hashable, Sendable {
    /// OAEP with SHA-256, also in its mask. A device requests it with `CipherName`.
    case oaepSHA256
    /// PKCS#1 version 1.5, from servers without support for OAEP.
    case pkcs1
}
