import EventDelivery
import Foundation

/// How much memory 100,000 kept events need while they are flushed, and how fast that is without a network.
enum FlushMeasure {
    private static let count = 100_000

    @Sendable static func measure() async throws {
        for store in Bench.stores {
            try await Bench.withFolder { file in
                try fill(store.make(file))
                let before = Bench.currentMemory()
                let queue = EventQueue(
                    store: store.make(file),
                    destinations: [
                        EventDestination(
                            "service", policy: Bench.policy(), transport: ClosureTransport { _ in .status(204) })
                    ])
                let start = Bench.nanoseconds()
                try await queue.resume()
                let loaded = Double(Bench.nanoseconds() - start) / 1_000_000
                let flush = Bench.nanoseconds()
                let report = await queue.flush(within: 600_000)
                let seconds = Double(Bench.nanoseconds() - flush) / 1_000_000_000
                guard report.delivered == count, report.end == .complete else {
                    throw EventStoreError(code: .unusable, file: file, detail: "the flush ended with \(report)")
                }
                Bench.print("load 100,000 events, \(store.name)", loaded, "ms", limit: nil)
                Bench.print(
                    "memory of 100,000 events, \(store.name)", Bench.peakMemory() - before, "MiB",
                    limit: 32)
                Bench.print(
                    "flush, \(store.name)", Double(count) / seconds, "events/s", limit: 20_000, isUpper: false)
            }
        }
    }

    private static func fill(_ store: any EventStore) throws {
        _ = try store.load()
        var sequence: Int64 = 0
        for _ in 0..<(count / 1_000) {
            var changes = StoreChanges()
            for _ in 0..<1_000 {
                sequence += 1
                let stamp = EventStamp(id: EventID(), time: .now())
                changes.append.append(StoredEvent(sequence: sequence, event: Bench.event(stamp)))
            }
            try store.commit(changes)
        }
    }
}
