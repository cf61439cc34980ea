#if canImport(WatchKit) && os(watchOS)
    public import WatchKit

    extension PushReceiver {
        /// For `didReceiveRemoteNotification(_:fetchCompletionHandler:)` of the app's delegate, with its
        /// arguments.
        ///
        /// The completion handler is called once, on the main thread.
        public func receive(
            _ userInfo: [AnyHashable: Any], fetchCompletionHandler: @escaping (WKBackgroundFetchResult) -> Void
        ) {
            let completion = MainCompletion(call: fetchCompletionHandler)
            handle(Push(userInfo: userInfo), from: .background) { result in
                Task { @MainActor in completion.call(result.watchFetchResult) }
            }
        }
    }

    extension PushResult {
        /// The argument for the completion handler of `didReceiveRemoteNotification(_:fetchCompletionHandler:)`.
        public var watchFetchResult: WKBackgroundFetchResult {
            switch self {
            case .newData: .newData
            case .noData: .noData
            case .failed: .failed
            }
        }
    }
#endif
