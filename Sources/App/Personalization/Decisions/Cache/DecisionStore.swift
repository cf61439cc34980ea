/// Keeps the bytes of a cache over the end of the process. ``FileDecisionStore`` uses a private file.
///
/// A decision client calls it from one actor, so one call at a time.
public protocol DecisionStore: Sendable {
    /// What was saved last; nil if there is nothing.
    ///
    /// - Parameter maximumBytes: More is reported as `damaged`.
    func load(maximumBytes: Int) throws(DecisionStoreError) -> [UInt8]?

    /// Replaces what was saved, in one step: a crash leaves either the old bytes or the new ones.
    func save(_ bytes: [UInt8]) throws(DecisionStoreError)

    /// Moves what was saved out of the way, because it cannot be read.
    ///
    /// - Returns: Where it is now; nil if it is nowhere.
    func setAside() throws(DecisionStoreError) -> String?

    /// Removes what was saved, and what was set aside: it contains what was shown to a person.
    func erase() throws(DecisionStoreError)
}

/// Why a store cannot be read or written.
public struct DecisionStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an enum, because later versions may have more codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public var code: Code
    /// The file's path; empty for a store without one.
    public var file: String
    /// What is wrong and what to do.
    public var detail: String

    public init(_ code: Code, file: String = "", _ detail: String) {
        self.code = code
        self.file = file
        self.detail = detail
    }

    public var description: String { "\(file.isEmpty ? "store" : file): \(detail) [\(code)]" }
}

extension DecisionStoreError.Code {
    public static let full = DecisionStoreError.Code("full")
    public static let readOnly = DecisionStoreError.Code("read-only")
    public static let damaged = DecisionStoreError.Code("damaged")
    public static let unusable = DecisionStoreError.Code("unusable")
    /// The system could not read or write.
    public static let io = DecisionStoreError.Code("io")
}
