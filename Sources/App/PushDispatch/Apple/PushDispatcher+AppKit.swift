#if canImport(AppKit) && os(macOS)
    extension PushDispatcher {
        /// For `application(_:didReceiveRemoteNotification:)` on the Mac, where the system waits for no result.
        public nonisolated func receive(_ userInfo: [String: Any]) {
            handle(Push(userInfo: userInfo), from: .background) { _ in }
        }
    }
#endif
