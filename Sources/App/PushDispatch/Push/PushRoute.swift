import Foundation

/// One type of push: how it is read, and who handles it.
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
    let read: @Sendable (Push) -> (outcome: Outcome, issues: [PushIssue])

    /// A type that names records, by configuration alone.
    public init(_ type: HintType, handler: any HintHandler) {
        self.type = type.name
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

    /// A type with a reader of its own.
    ///
    /// - Parameters:
    ///   - decode: Makes the message. What it throws is reported without its text, since that may quote the payload; a
    ///     `PushIssue` or a `DecodingError` tells the place.
    ///   - hint: The records to be fetched later if the handler does not end; nil for none.
    ///   - announcesRequests: See `HintHandler.announcesRequests`.
    ///   - handle: Does what the message asks for.
    public init<Message: Sendable>(
        _ type: String, decode: @escaping @Sendable (Push) throws -> Message,
        hint: @escaping @Sendable (Message) -> Hint? = { _ in nil }, announcesRequests: Bool = false,
        handle: @escaping @Sendable (Message, HandlerContext) async throws -> HandlerReport
    ) {
        self.type = type
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

    /// A type whose payload is a `Decodable` value. Keys that it does not name are left alone.
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
    /// What a decoder threw: where, and what kind of fault, never a value.
    fileprivate static func reading(_ error: any Error) -> PushIssue {
        func place(_ context: DecodingError.Context, _ key: (any CodingKey)? = nil) -> String {
            (context.codingPath + (key.map { [$0] } ?? [])).reduce("") { pointer($0, $1.stringValue) }
        }
        switch error {
        case let issue as PushIssue: return issue
        case DecodingError.keyNotFound(let key, let context):
            return PushIssue(.missingKey, at: place(context, key), "is missing")
        case DecodingError.typeMismatch(_, let context):
            return PushIssue(.wrongKind, at: place(context), "is of another kind than wanted")
        case DecodingError.valueNotFound(_, let context):
            return PushIssue(.wrongKind, at: place(context), "is null; a value is wanted")
        case DecodingError.dataCorrupted(let context):
            return PushIssue(.unreadable, at: place(context), "cannot be read")
        default: return PushIssue(.unreadable, at: "", "was refused with \(Swift.type(of: error))")
        }
    }
}
