/// Why a call of the library has not done what was asked for. Nothing in it is a value of an event or of a person.
public struct OptimizationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an enum, because later versions may have more codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public var code: Code
    /// What is wrong and what to do.
    public var detail: String

    public init(_ code: Code, _ detail: String) {
        self.code = code
        self.detail = detail
    }

    public var description: String { "\(code): \(detail)" }
}

extension OptimizationError.Code {
    /// `initialize` was not called, has thrown, or `destroy` was called since.
    public static let notInitialized = OptimizationError.Code("notInitialized")
    public static let configuration = OptimizationError.Code("configuration")
    /// A file or another resource could not be read.
    public static let resourceLoad = OptimizationError.Code("resourceLoad")
    /// The original's error between Swift and its embedded script. This library embeds nothing and never throws it.
    public static let bridge = OptimizationError.Code("bridge")
    /// The event may not be sent without the person's consent. It is not kept.
    public static let consent = OptimizationError.Code("consent")
    /// A value that cannot be sent or read.
    public static let invalidValue = OptimizationError.Code("invalidValue")
    /// The queue has no space for the event.
    public static let notKept = OptimizationError.Code("notKept")
    /// A file could not be written.
    public static let storage = OptimizationError.Code("storage")
}

extension OptimizationError {
    static func notInitialized(_ call: String) -> OptimizationError {
        OptimizationError(.notInitialized, "\(call) needs an initialized client; call initialize() first")
    }
}
