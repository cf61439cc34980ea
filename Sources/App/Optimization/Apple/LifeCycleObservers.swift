#if canImport(Network)
    import Foundation

    /// Observes notifications of the app's life cycle until it is deallocated.
    ///
    /// Unchecked, because it is filled before anything else sees it, and the center may be used on any thread.
    final class LifeCycleObservers: @unchecked Sendable {
        private var tokens: [any NSObjectProtocol] = []

        /// The names of UIKit's notifications, which stay without a notification where there is no UIKit.
        @MainActor
        init(_ report: @escaping @MainActor @Sendable (MonitorEvent) -> Void) {
            add("UIApplicationWillResignActiveNotification", .willResignActive, report)
            add("UIApplicationDidBecomeActiveNotification", .didBecomeActive, report)
            add("NSApplicationWillResignActiveNotification", .willResignActive, report)
            add("NSApplicationDidBecomeActiveNotification", .didBecomeActive, report)
        }

        private func add(
            _ name: String, _ event: MonitorEvent, _ report: @escaping @MainActor @Sendable (MonitorEvent) -> Void
        ) {
            tokens.append(
                NotificationCenter.default.addObserver(
                    forName: Notification.Name(name), object: nil, queue: .main
                ) { _ in
                    Task { @MainActor in report(event) }
                })
        }

        deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    }
#endif
