// Declarations of WatchKit, as far as the adapters need them.
public import Foundation

public enum WKBackgroundFetchResult: UInt, Sendable {
    case newData = 0
    case noData = 1
    case failed = 2
}

@MainActor
public protocol WKApplicationDelegate: NSObjectProtocol {
    func didReceiveRemoteNotification(
        _ userInfo: [AnyHashable: Any],
        fetchCompletionHandler completionHandler: @escaping (WKBackgroundFetchResult) -> Void)
}
