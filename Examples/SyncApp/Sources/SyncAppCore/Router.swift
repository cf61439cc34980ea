public import PushDispatch

/// The screens that a tap opens.
public enum Screen: Hashable, Sendable {
    case account(RecordID)
    case visit(RecordID)
    case list

    /// Nil if the user has dismissed the notification.
    public init?(_ tap: PushTap) {
        guard tap.action != .dismiss else { return nil }
        switch tap.target {
        case .record(object: "Account", let id): self = .account(id)
        case .record(object: "Visit__c", let id): self = .visit(id)
        default: self = .list
        }
    }
}

/// The screen that the user wants to see.
@MainActor
public final class Router {
    /// Each screen to open. One that was asked for before the first reader, by the tap that launched the app, is kept.
    public let screens: AsyncStream<Screen>
    private let continuation: AsyncStream<Screen>.Continuation

    public init() {
        (screens, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    public func open(_ tap: PushTap) {
        if let screen = Screen(tap) { continuation.yield(screen) }
    }
}
