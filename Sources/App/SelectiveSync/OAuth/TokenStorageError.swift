/// Why a storage could not read or write the tokens. It contains no token.
public struct TokenStorageError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an enum, because later versions may have more codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public let code: Code
    /// `errno`, or the status of the keychain; nil if the system was not asked.
    public let status: Int32?

    public init(_ code: Code, status: Int32? = nil) {
        self.code = code
        self.status = status
    }

    public var description: String {
        "\(code): the tokens cannot be read or stored now" + (status.map { " (status \($0))" } ?? "")
    }
}

extension TokenStorageError.Code {
    /// The device was not unlocked since its start. Try again later.
    public static let locked = TokenStorageError.Code("locked")
    /// What is stored cannot be decoded. A log-in replaces it.
    public static let unreadable = TokenStorageError.Code("unreadable")
    /// The system refused to read.
    public static let notRead = TokenStorageError.Code("not-read")
    /// The system refused to write. What was stored before is unchanged.
    public static let notWritten = TokenStorageError.Code("not-written")
}
