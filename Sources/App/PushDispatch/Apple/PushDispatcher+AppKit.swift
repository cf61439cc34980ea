#if canImport(AppKit) && os(macOS)
    extension PushDispatcher {
        /// For `application(_:didReceiveRemoteNotification:)` on macOS, where the system does not wait for a result.
        public nonisolated func receive(_ userInfo: [String: Any]) {
            handle(Push(userInfo: userInfo), from: .background) { _ in }
        }
    }
#endif
