public import EventDelivery
public import PushDispatch

/// A personalization push that a person has opened.
public struct OpenedPush: Hashable, Sendable {
    /// The identifier of the notification request.
    public var requestID: String
    /// The id for the open event. It is the same for each repeat of the callback on this installation.
    public var eventID: EventID
    public var content: PersonalizedPush
    public var push: Push

    public init(requestID: String, eventID: EventID, content: PersonalizedPush, push: Push) {
        self.requestID = requestID
        self.eventID = eventID
        self.content = content
        self.push = push
    }
}

/// What became of the open event.
public enum OpenEventOutcome: Hashable, Sendable {
    case queued
    /// It was queued when the same notification was opened before.
    case repeated
    /// The queue did not take it. The next repeat of the callback tries again. ``PersonalizationClient`` keeps an event that
    /// cannot be written now, and tries again with its next call.
    case failed(String)
    /// The queue takes longer than the limit; the app went on.
    case late
}

/// What a push that was opened has led to so far. The decisions come later.
public struct PushOpening<Route: Sendable>: Sendable {
    public var push: OpenedPush
    public var event: OpenEventOutcome
    /// Nil if the link leads nowhere, or if there is none.
    public var route: Route?
}

/// For a log; contains nothing of the payload.
public enum PushOpenedEvent: Hashable, Sendable {
    case opened(OpenEventOutcome)
    case issue(PushIssue)
    /// The list of notifications that were opened before cannot be read or written. Until it can, a repeat in another process
    /// may queue the open event once more, with the same id.
    case storeFailed(DecisionStoreError)
    /// The list was damaged and was set aside under this path.
    case storeDamaged(movedTo: String?)
}
