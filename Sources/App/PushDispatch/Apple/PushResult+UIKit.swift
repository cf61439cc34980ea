#if canImport(UIKit) && (os(iOS) || os(tvOS) || os(visionOS))
    public import UIKit

    extension PushResult {
        /// What `didReceiveRemoteNotification(fetchCompletionHandler:)` has to be called back with.
        public var backgroundFetchResult: UIBackgroundFetchResult {
            switch self {
            case .newData: .newData
            case .noData: .noData
            case .failed: .failed
            }
        }
    }
#endif
