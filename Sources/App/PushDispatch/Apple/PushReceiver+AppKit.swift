#if canImport(AppKit) && os(macOS)
    extension PushReceiver {
        /// For `application(_:didReceiveRemoteNotification:)` on macOS, where the system does not wait for a result.
        public func receive(_ userInfo: [String: Any]) {
            handle(Push(userInfo: userInfo), from: .background) { _ in }
        }
    }
#endif
