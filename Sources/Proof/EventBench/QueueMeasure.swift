import EventDelivery
import Foundation

/// How long it takes to queue an event.
enum QueueMeasure {
    private static let count = 20_000

    @Sendable static func measure() async throws {
        for store in Bench.stores {
            let (microseconds, processor) = try await Bench.withFolder { file in
                let queue = EventQueue(
                    store: store.make(file),
                    destinations: [
                        EventDestination(
                            "service", policy: Bench.policy(), transport: ClosureTransport { _ in .noAnswer })
                    ])
                try await queue.resume()
                let events = (0..<count).map { _ in Bench.event(queue.stamp()) }
                let start = (wall: Bench.nanoseconds(), processor: Bench.processorNanoseconds())
                for event in events { try await queue.capture(event) }
                let (wall, processor) = (Bench.nanoseconds(), Bench.processorNanoseconds())
                let scale = 1_000 * Double(count)
                return (Double(wall - start.wall) / scale, Double(processor - start.processor) / scale)
            }
            Bench.print(
                "queue an event, \(store.name)", microseconds, "us", limit: store.name == "sqlite" ? 20 : nil)
            Bench.print("the same, processor time, \(store.name)", processor, "us", limit: nil)
        }
    }
}
