/// Why a store cannot be used or changed. The failed call has changed nothing.
public struct EventStoreError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an enum, because later versions may have more codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public let code: Code
    /// The file's path; empty if only the store knows it.
    public let file: String
    /// What is wrong and what to do. Contains nothing of an event.
    public let detail: String

    public init(code: Code, file: String, detail: String) {
        self.code = code
        self.file = file
        self.detail = detail
    }

    public var description: String { "\(file.isEmpty ? "store" : file): \(detail) [\(code)]" }
}

extension EventStoreError.Code {
    /// The disk is full.
    public static let full = EventStoreError.Code("full")
    /// The file can be read, but not written.
    public static let readOnly = EventStoreError.Code("read-only")
    /// Another queue, usually of another process, uses the file.
    public static let busy = EventStoreError.Code("busy")
    /// The system could not read or write the file.
    public static let io = EventStoreError.Code("io")
    /// The file is damaged. The next `load` sets it aside and takes over what can be read; the queue calls it at once.
    public static let damaged = EventStoreError.Code("damaged")
    /// Made by a later version of this library.
    public static let newerVersion = EventStoreError.Code("newer-version")
    /// A file of another application.
    public static let foreign = EventStoreError.Code("foreign")
    /// The file cannot be used for another reason.
    public static let unusable = EventStoreError.Code("unusable")
}
