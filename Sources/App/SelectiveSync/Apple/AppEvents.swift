#if canImport(UIKit) && (os(iOS) || os(tvOS) || os(visionOS))
    import Foundation
    import UIKit

    /// Passes on to a `CRMSync` what happens to the app: it comes to the foreground, goes to the background, and the device is
    /// unlocked. Create it while the app is launched, and hold it.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    @MainActor
    public final class AppEvents {
        private let observers: Observers

        /// - Parameter onBackground: Called when the app goes to the background; `BackgroundRefresh.schedule()`, for example.
        public init(_ crm: CRMSync, onBackground: @escaping @Sendable () -> Void = {}) {
            let observers = Observers()
            self.observers = observers
            // Tasks of the main actor begin in the order in which they are created, so the last event is the last one reported.
            observers.add(UIApplication.willEnterForegroundNotification) {
                Task { @MainActor in await crm.cameToForeground() }
            }
            observers.add(UIApplication.didEnterBackgroundNotification) {
                onBackground()
                Task { @MainActor in await crm.wentToBackground() }
            }
            observers.add(UIApplication.protectedDataDidBecomeAvailableNotification) {
                Task { await crm.deviceUnlocked() }
            }
            // An app that is launched into the foreground gets no notification of it.
            if UIApplication.shared.applicationState != .background { Task { await crm.cameToForeground() } }
        }
    }

    /// Unchecked, because it is filled before anything else sees it, and the center may be used on any thread.
    private final class Observers: @unchecked Sendable {
        private var tokens: [any NSObjectProtocol] = []

        func add(_ name: Notification.Name, _ act: @escaping @Sendable () -> Void) {
            tokens.append(
                NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) { _ in act() })
        }

        deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }
    }
#endif
