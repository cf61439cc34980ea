/// How a refresh of a `CRMSync` ended.
public struct CRMRefreshReport: Hashable, Sendable {
    /// By object.
    public var uploads: [String: UploadReport] = [:]
    /// By object. Nil for an object that was put off.
    public var syncs: [String: RegularSyncReport] = [:]
    /// Objects that wait for Wi-Fi or for the foreground.
    public var putOff: [String] = []
    /// Why nothing was done; nil if something was.
    public var problem: CRMSyncError?
    /// Nothing was done because the device is offline.
    public var isOffline = false

    public init() {}

    /// Whether every object is up to date, except those that were put off, and every edit is uploaded or in conflict.
    public var isDone: Bool {
        isFinished && uploads.values.allSatisfy { $0.refused.isEmpty && $0.waiting.isEmpty }
    }

    /// Whether every step was done. What the server refused stays until the user changes it, so another refresh is not due for it.
    var isFinished: Bool {
        problem == nil && !isOffline && syncs.values.allSatisfy { $0.state == .done }
            && uploads.values.allSatisfy { $0.state == .done }
    }
}
