/// Why an encrypted notice could not be decrypted. It is then shown with the placeholder alert that it was sent with.
public struct NoticeError: Error, Hashable, Sendable {
    /// The platform's number. Open, because the platform may have more.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) { self.rawValue = rawValue }

        public static let secretMissing = Code(rawValue: -1001)
        public static let contentMissing = Code(rawValue: -1002)
        public static let alertTitleMissing = Code(rawValue: -1003)
        public static let alertBodyMissing = Code(rawValue: -1004)
        public static let apsMissing = Code(rawValue: -1005)
        public static let alertNotDictionary = Code(rawValue: -1006)
        public static let secretNotBase64 = Code(rawValue: -1007)
        public static let privateKeyMissing = Code(rawValue: -1008)
        public static let secretNotDecrypted = Code(rawValue: -1009)
        public static let contentNotBase64 = Code(rawValue: -1010)
        public static let contentNotDecrypted = Code(rawValue: -1011)
        public static let contentNotJSONObject = Code(rawValue: -1012)
    }

    public let code: Code
    /// What is wrong, without a value of the payload.
    public let detail: String

    init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension NoticeError: CustomStringConvertible {
    public var description: String { "encrypted notice: \(detail) [\(code.rawValue)]" }
}
