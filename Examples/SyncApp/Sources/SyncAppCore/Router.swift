public import PushDispatch

/// The screens that a tap opens.
public enum Screen: Hashable, Sendable, Identifiable {
    case account(RecordID)
    case visit(RecordID)
    case list

    public var id: Screen { self }

    /// The record on the screen; nil for the list.
    public var record: (object: String, id: RecordID)? {
        switch self {
        case .account(let id): (object: "Account", id: id)
        case .visit(let id): (object: "Visit__c", id: id)
        case .list: nil
        }
    }

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
    private var readers: [Int: AsyncStream<Screen>.Continuation] = [:]
    private var lastReader = 0
    /// Asked for while nobody reads, by the tap that launched the app.
    private var kept: Screen?

    public init() {}

    /// Each screen to open, for one reader; it ends with the reader's task. The first reader gets what was asked for before.
    public var screens: AsyncStream<Screen> {
        let (stream, continuation) = AsyncStream.makeStream(of: Screen.self, bufferingPolicy: .bufferingNewest(1))
        lastReader += 1
        let number = lastReader
        readers[number] = continuation
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor [weak self] in self?.readers[number] = nil }
        }
        if let screen = kept { continuation.yield(screen) }
        kept = nil
        return stream
    }

    public func open(_ tap: PushTap) {
        guard let screen = Screen(tap) else { return }
        if readers.isEmpty { kept = screen }
        for reader in readers.values { reader.yield(screen) }
    }
}
