/// What the app tells the system about a push; the system weighs it when it decides whether to wake the app again.
public enum PushResult: String, Hashable, Sendable, CaseIterable {
    /// Something was stored, changed or removed.
    case newData
    case noData
    /// Nothing was stored, although there was something to try.
    case failed
}
