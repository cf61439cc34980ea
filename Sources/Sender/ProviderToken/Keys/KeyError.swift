/// Why a key cannot be read or used. It never contains key material.
public struct KeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error. A struct, so that a new code is not a breaking change.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        public static let empty = Code(rawValue: "empty-file")
        public static let tooLarge = Code(rawValue: "file-too-large")
        /// There is no such file, or it cannot be read.
        public static let unreadable = Code(rawValue: "unreadable-file")
        /// There is no such environment variable.
        public static let noVariable = Code(rawValue: "no-variable")
        /// Neither PEM with a key in it nor DER.
        public static let noKey = Code(rawValue: "no-key")
        /// The file ends before the key does.
        public static let truncated = Code(rawValue: "truncated")
        /// Not base64, not DER, or not the structure that the label promises.
        public static let malformed = Code(rawValue: "malformed")
        public static let encrypted = Code(rawValue: "encrypted")
        /// `EC PRIVATE KEY`, the older form of RFC 5915.
        public static let sec1 = Code(rawValue: "sec1")
        public static let publicKey = Code(rawValue: "public-key")
        public static let privateKey = Code(rawValue: "private-key")
        public static let certificate = Code(rawValue: "certificate")
        public static let rsa = Code(rawValue: "rsa")
        public static let otherAlgorithm = Code(rawValue: "other-algorithm")
        public static let otherCurve = Code(rawValue: "other-curve")
        /// The private value is zero or not below the order of the curve.
        public static let privateValueOutOfRange = Code(rawValue: "private-value-out-of-range")
        /// The public key does not belong to the private value, or is not a point of the curve.
        public static let badPublicKey = Code(rawValue: "bad-public-key")
        /// A `ProviderTokenSigner` failed, or returned bytes that are not a signature.
        public static let signer = Code(rawValue: "signer")
        /// OpenSSL failed: out of memory, no random source, or P-256 forbidden by its configuration.
        public static let library = Code(rawValue: "library")
    }

    public var code: Code
    /// What is wrong, where, and what to do next.
    public var detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(code.rawValue): \(detail)" }
}

extension KeyError {
    static func library(_ attempt: String) -> KeyError {
        KeyError(
            .library,
            "OpenSSL could not \(attempt); check that its configuration (openssl.cnf, FIPS mode) allows P-256 and SHA-256"
        )
    }
}
