/// Asks the system for time to finish work after the app has gone to the background. `AppBackgroundTime` asks UIKit.
public protocol BackgroundTime: Sendable {
    /// - Parameters:
    ///   - name: For the system's logs.
    ///   - onExpiration: Called if the system's time is over before `end(_:)`. The work has to stop at once.
    /// - Returns: Nil if the system gives no time; the work runs nevertheless.
    func begin(_ name: String, onExpiration: @escaping @Sendable () -> Void) async -> BackgroundTimeID?

    func end(_ id: BackgroundTimeID) async
}

/// One request for time in the background.
public struct BackgroundTimeID: Hashable, Sendable {
    public var rawValue: Int

    public init(rawValue: Int) { self.rawValue = rawValue }
}

/// For an app that is never suspended.
public struct UnlimitedBackgroundTime: BackgroundTime {
    public init() {}

    public func begin(_ name: String, onExpiration: @escaping @Sendable () -> Void) async -> BackgroundTimeID? { nil }

    public func end(_ id: BackgroundTimeID) async {}
}

extension BackgroundTime {
    /// Runs work and holds the system's time while it runs. The work is cancelled if that time is over, or if the caller is
    /// cancelled.
    func hold<Value: Sendable>(_ name: String, while work: @escaping @Sendable () async -> Value) async -> Value {
        let expiration = Expiration()
        let id = await begin(name) { expiration.expire() }
        let task = Task { await work() }
        expiration.onExpiration { task.cancel() }
        let value = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if let id { await end(id) }
        return value
    }
}
