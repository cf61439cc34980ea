public import EventDelivery

/// Why a call of the library has not done what was asked for. Nothing in it is a value of an event or of a person.
public struct PersonalizationError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Not an enum, because later versions may have more codes.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String

        public init(_ rawValue: String) { self.rawValue = rawValue }

        public var description: String { rawValue }
    }

    public var code: Code
    /// What is wrong and what to do.
    public var detail: String
    /// What a store says, where one failed.
    public var store: EventStoreError?

    public init(_ code: Code, _ detail: String, store: EventStoreError? = nil) {
        self.code = code
        self.detail = detail
        self.store = store
    }

    public var description: String { "\(code): \(detail)\(store.map { "; \($0)" } ?? "")" }
}

extension PersonalizationError.Code {
    public static let invalidConfiguration = PersonalizationError.Code("invalidConfiguration")
    /// An id is missing without which the event would belong to nothing.
    public static let missingID = PersonalizationError.Code("missingID")
    /// An event or a person with a value that cannot be sent.
    public static let invalidValue = PersonalizationError.Code("invalidValue")
    /// The person has opted out.
    public static let consent = PersonalizationError.Code("consent")
    /// The queue has no space for the event and those that belong to it, or they are too large. None of them is in it.
    public static let notKept = PersonalizationError.Code("notKept")
    /// A file could not be read or written. What the library itself has to report is kept in memory and tried again with the
    /// next call; an event that the app passed is not.
    public static let storage = PersonalizationError.Code("storage")
    /// The session has more different impressions than are remembered, so this one was not sent.
    public static let tooManyImpressions = PersonalizationError.Code("tooManyImpressions")
}

extension PersonalizationError {
    static func invalid(_ detail: String) -> PersonalizationError { PersonalizationError(.invalidValue, detail) }

    static func consent(_ kind: String) -> PersonalizationError {
        PersonalizationError(.consent, "the \(kind) event is not kept, because the person has not opted in")
    }

    /// Why an event was not captured.
    init(_ error: CaptureError, _ kind: String) {
        switch error.reason {
        case nil: self.init(.storage, "the \(kind) event could not be stored; try again later", store: error.store)
        case .some(.consent): self = .consent(kind)
        case .some(.queueFull):
            self.init(.notKept, "the queue has no space for the \(kind) event; it has when others have been sent")
        case .some(.tooLarge):
            self.init(
                .notKept,
                "the \(kind) event, with those that belong to it, is larger than the queue allows; shorten it, or raise the "
                    + "limits of `delivery`")
        case .some(.unknownDestination):
            self.init(
                .invalidConfiguration,
                "the queue has no destination for the \(kind) event; create it with PersonalizationClient.destination")
        case .some(let reason): self.init(.notKept, "the \(kind) event is not kept: \(reason)")
        }
    }
}
