#if canImport(UIKit) && (os(iOS) || os(tvOS) || os(visionOS))
    public import UIKit

    extension PushResult {
        /// The argument for the completion handler of `didReceiveRemoteNotification(fetchCompletionHandler:)`.
        public var backgroundFetchResult: UIBackgroundFetchResult {
            switch self {
            case .newData: .newData
            case .noData: .noData
            case .failed: .failed
            }
        }
    }
#endif
