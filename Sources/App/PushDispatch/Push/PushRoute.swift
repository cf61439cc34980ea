import Foundation

/// How pushes of one type are read and handled.
public struct PushRoute: Sendable {
    /// A handler, bound to the hint or message that it handles.
    struct Handler: Sendable {
        let announcesRequests: Bool
        let body: @Sendable (HandlerContext) async throws -> HandlerReport
    }

    enum Outcome: Sendable {
        case nothing(PushIgnoreCause)
        /// The hint is kept if the handler does not finish; it may name no record.
        case work(Hint, Handler)
    }

    /// The payload's `type`, compared exactly.
    public let type: String
    /// Whether a push of this type shows nothing while the app is on screen: it only says what has changed.
    public var isSilent: Bool
    let read: @Sendable (Push) -> (outcome: Outcome, issues: [PushIssue])

    /// A route for a type that names records.
    public init(_ type: HintType, handler: any HintHandler) {
        self.type = type.name
        isSilent = type.content.object != nil
        let types = HintTypes([type])
        read = { push in
            let reading = types.read(push)
            switch reading.outcome {
            case .nothing(let reason): return (.nothing(reason), reading.issues)
            case .hint(let hint):
                let bound = Handler(announcesRequests: handler.announcesRequests) { try await handler.handle(hint, $0) }
                return (.work(hint, bound), reading.issues)
            }
        }
    }

    /// A route for a type with a custom reader. Its pushes are shown while the app is on screen, unless `isSilent` is set.
    ///
    /// - Parameters:
    ///   - decode: Reads the message. A `PushIssue` or the place of a `DecodingError` is reported if it throws one. The
    ///     message of an error is not, since it may quote the payload.
    ///   - hint: The records to fetch later if the handler does not finish; nil for none.
    ///   - announcesRequests: See `HintHandler.announcesRequests`.
    ///   - handle: Handles the message.
    public init<Message: Sendable>(
        _ type: String, decode: @escaping @Sendable (Push) throws -> Message,
        hint: @escaping @Sendable (Message) -> Hint? = { _ in nil }, announcesRequests: Bool = false,
        handle: @escaping @Sendable (Message, HandlerContext) async throws -> HandlerReport
    ) {
        self.type = type
        isSilent = false
        read = { push in
            do {
                let message = try decode(push)
                let kept = hint(message) ?? Hint(type: type, object: "", records: [])
                let bound = Handler(announcesRequests: announcesRequests) { try await handle(message, $0) }
                return (.work(kept, bound), push.issues)
            } catch {
                return (.nothing(.unreadable), push.issues + [PushIssue.reading(error)])
            }
        }
    }

    /// A route for a type whose payload is decoded as `Message`. Other keys are ignored.
    public init<Message: Decodable & Sendable>(
        _ type: String, as message: Message.Type, hint: @escaping @Sendable (Message) -> Hint? = { _ in nil },
        announcesRequests: Bool = false,
        handle: @escaping @Sendable (Message, HandlerContext) async throws -> HandlerReport
    ) {
        self.init(
            type, decode: { try JSONDecoder().decode(Message.self, from: $0.json) }, hint: hint,
            announcesRequests: announcesRequests, handle: handle)
    }
}

extension PushIssue {
    /// The place and kind of a decoder's error, without a value of the payload.
    fileprivate static func reading(_ error: any Error) -> PushIssue {
        func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
            (context.codingPath + (key.map { [$0] } ?? [])).reduce("") { pointer($0, $1.stringValue) }
        }
        switch error {
        case let issue as PushIssue: return issue
        case DecodingError.keyNotFound(let key, let context):
            return PushIssue(.missingKey, at: place(context, key), "is missing")
        case DecodingError.typeMismatch(_, let context):
            return PushIssue(.wrongKind, at: place(context), "has the wrong type")
        case DecodingError.valueNotFound(_, let context):
            return PushIssue(.wrongKind, at: place(context), "is null; expected a value")
        case DecodingError.dataCorrupted(let context):
            return PushIssue(.unreadable, at: place(context), "cannot be read")
        default: return PushIssue(.unreadable, at: "", "the reader threw \(Swift.type(of: error))")
        }
    }
}
