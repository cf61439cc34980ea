// Declarations of WatchKit, as far as the adapters need them. Optional methods of a protocol are default implementations here.
//
// Seen in:
// [a] DougGregor/swift-concurrency-objc, watchOS/WatchKit/WKExtension.swift (the headers as Swift shows them)
// [b] developer.apple.com/documentation/watchkit/wkapplicationdelegate, as kept in Averyy/apple-dev-docs
// [c] swiftlang/swift-evolution, proposals/0463-sendable-completion-handlers.md
public import Foundation

// [a] Raw values of UInt; available since watchOS 6.
public enum WKBackgroundFetchResult: UInt, Sendable {
    case newData = 0
    case noData = 1
    case failed = 2
}

// [b] Isolated to the main actor; available since watchOS 7. [a] Every method is optional.
@MainActor
public protocol WKApplicationDelegate: NSObjectProtocol {
    // [a] There is an async form as well. [c] The handler is not @Sendable, because the method is isolated to an actor.
    func didReceiveRemoteNotification(
        _ userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (WKBackgroundFetchResult) -> Void)
}

extension WKApplicationDelegate {
    public func didReceiveRemoteNotification(
        _ userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (WKBackgroundFetchResult) -> Void
    ) {}
}
