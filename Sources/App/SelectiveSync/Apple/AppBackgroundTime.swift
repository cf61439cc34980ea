#if canImport(UIKit) && (os(iOS) || os(tvOS) || os(visionOS))
    import UIKit

    /// Asks UIKit for time after the app has gone to the background, usually about 30 seconds.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public struct AppBackgroundTime: BackgroundTime {
        public init() {}

        public func begin(
            _ name: String, onExpiration: @escaping @Sendable () -> Void
        ) async -> BackgroundTimeID? {
            await Self.begin(name, onExpiration)
        }

        public func end(_ id: BackgroundTimeID) async { await Self.end(id) }

        /// Tasks whose end was not reported to UIKit.
        @MainActor private static var open: Set<BackgroundTimeID> = []

        @MainActor
        private static func begin(_ name: String, _ onExpiration: @escaping @Sendable () -> Void) -> BackgroundTimeID? {
            let begun = Begun()
            let task = UIApplication.shared.beginBackgroundTask(withName: name) {
                onExpiration()
                // The system ends an app that does not report the end here.
                MainActor.assumeIsolated { if let id = begun.id { end(id) } }
            }
            guard task != .invalid else { return nil }
            let id = BackgroundTimeID(rawValue: task.rawValue)
            begun.id = id
            open.insert(id)
            return id
        }

        @MainActor
        private static func end(_ id: BackgroundTimeID) {
            guard open.remove(id) != nil else { return }
            UIApplication.shared.endBackgroundTask(UIBackgroundTaskIdentifier(rawValue: id.rawValue))
        }
    }

    /// The number that UIKit gives to a request, for the handler that is part of the request.
    @MainActor
    private final class Begun {
        var id: BackgroundTimeID?
    }
#endif
