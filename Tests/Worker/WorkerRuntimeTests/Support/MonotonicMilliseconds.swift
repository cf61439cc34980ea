/// The engine's clock.
enum MonotonicMilliseconds {
    private static let start = ContinuousClock.now

    static var now: Int64 {
        let (seconds, attoseconds) = (ContinuousClock.now - start).components
        return 1_700_000_000_000 + seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}
