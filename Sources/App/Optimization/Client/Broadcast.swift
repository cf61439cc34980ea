/// Passes values to every stream that was asked for.
@MainActor
final class Broadcast<Value: Sendable> {
    private var streams: [Int: AsyncStream<Value>.Continuation] = [:]
    private var nextID = 0

    /// - Parameters:
    ///   - first: What the stream begins with; nil for nothing.
    ///   - limit: How many values wait for a slow reader; the oldest are dropped.
    func stream(startingWith first: Value? = nil, limit: Int) -> AsyncStream<Value> {
        nextID += 1
        let id = nextID
        let (stream, continuation) = makeStream(limit)
        if let first { continuation.yield(first) }
        continuation.onTermination = { [weak self] _ in
            Task { @MainActor [weak self] in self?.streams[id] = nil }
        }
        streams[id] = continuation
        return stream
    }

    private func makeStream(_ limit: Int) -> (AsyncStream<Value>, AsyncStream<Value>.Continuation) {
        var made: AsyncStream<Value>.Continuation?
        let stream = AsyncStream(Value.self, bufferingPolicy: .bufferingNewest(limit)) { made = $0 }
        guard let made else { preconditionFailure("a stream calls its closure before it returns") }
        return (stream, made)
    }

    func send(_ value: Value) { for stream in streams.values { stream.yield(value) } }

    // A reader would wait for ever otherwise.
    deinit { for stream in streams.values { stream.finish() } }
}
