#if canImport(UIKit) && (os(iOS) || os(tvOS) || os(visionOS))
    public import UIKit

    extension PushReceiver {
        /// For `application(_:didReceiveRemoteNotification:fetchCompletionHandler:)`, with its arguments.
        ///
        /// The completion handler is called once, on the main thread.
        public func receive(
            _ userInfo: [AnyHashable: Any], fetchCompletionHandler: @escaping (UIBackgroundFetchResult) -> Void
        ) {
            let completion = MainCompletion(call: fetchCompletionHandler)
            handle(Push(userInfo: userInfo), from: .background) { result in
                Task { @MainActor in completion.call(result.backgroundFetchResult) }
            }
        }
    }
#endif
