/// How a secret is padded before RSA.
public enum NoticePadding: Hashable, Sendable {
    /// OAEP with SHA-256, in the mask too: what a device asks for with `CipherName`.
    case oaepSHA256
    /// PKCS#1 version 1.5, from servers that know no other.
    case pkcs1
}
