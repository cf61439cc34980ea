package import GatewayConfiguration
import GatewayCore
import GatewayJSON
package import PayloadJSON
import Synchronization
import SystemFiles

/// Tells one address of events, one after the other. It hears of them through a bounded queue, so that however slow the
/// address is, the gateway never waits.
package final class Webhook: Sendable {
    private struct Shared {
        var counts = WebhookCounts()
        var lastError: String?
        var task: Task<Void, Never>?
        var subscription: UInt64?
        /// Whether it is removed, and tells what it has heard already.
        var isLeaving = false
    }

    package let id: String
    package let url: WebhookURL
    /// Nil for all but those that have to be named.
    package let events: Set<String>?
    /// Whether it was there from the start, so that a reset leaves it.
    package let isFixed: Bool
    private let tls: WebhookTLS
    private let shared = Mutex(Shared())

    /// How often an event is tried.
    private static let tries = 5
    /// Milliseconds before the second try; before each further one four times as long.
    private static let firstPause: Int64 = 100

    package init(id: String, url: WebhookURL, events: Set<String>?, isFixed: Bool, _ tls: WebhookTLS) {
        self.id = id
        self.url = url
        self.events = events
        self.isFixed = isFixed
        self.tls = tls
    }

    package var counts: WebhookCounts { shared.withLock { $0.counts } }
    package var lastError: String? { shared.withLock { $0.lastError } }

    /// Begins to listen to a world.
    package func start(_ state: LiveWorld) {
        let subscription = state.subscribeToEvents(named: events) { [weak self] in
            self?.shared.withLock { $0.counts.dropped += 1 }
        }
        let world = state.name
        let task = Task { [weak self] in
            var number = 0
            for await item in subscription.items {
                guard case .event(let event) = item, let self else { continue }
                number += 1
                guard await self.tell(event, number, of: world) else { return }
            }
        }
        shared.withLock { shared in
            shared.task = task
            shared.subscription = subscription.id
        }
    }

    package func stop(_ state: LiveWorld) {
        let (task, subscription) = shared.withLock { ($0.task, $0.subscription) }
        task?.cancel()
        if let subscription { state.unsubscribe(subscription) }
    }

    /// Hears of nothing more, and tells what it has heard already: until an address takes an event no more, so that one
    /// that is not there holds nothing up.
    package func leave(_ state: LiveWorld) async {
        let (task, subscription) = shared.withLock { shared in
            shared.isLeaving = true
            return (shared.task, shared.subscription)
        }
        if let subscription { state.unsubscribe(subscription) }
        await task?.value
    }

    private var isLeaving: Bool { shared.withLock { $0.isLeaving } }

    /// - Returns: Whether it is to go on.
    private func tell(_ event: GatewayEvent, _ number: Int, of world: WorldName) async -> Bool {
        let body = JSONText.object { object in
            object.add("id", "\(world)-\(id)-\(number)")
            object.add("event", event.name)
            object.add("world", world.text)
            object.add("sent", time: WallClock.milliseconds)
            object.add("data", event.json)
        }
        var pause = Webhook.firstPause
        for attempt in 1...Webhook.tries {
            let result = await WebhookCall.post(body.bytes, to: url, tls)
            guard !Task.isCancelled else { return false }
            if result == .taken {
                shared.withLock { shared in
                    shared.counts.delivered += 1
                    shared.lastError = nil
                }
                return true
            }
            shared.withLock { $0.lastError = result.words }
            guard result.isWorthAnotherTry, attempt < Webhook.tries, !isLeaving else { break }
            do {
                try await Task.sleep(for: .milliseconds(pause))
            } catch {
                return false  // it was removed
            }
            shared.withLock { $0.counts.retries += 1 }
            pause *= 4
        }
        shared.withLock { $0.counts.failed += 1 }
        return !isLeaving
    }

    package var json: JSONText {
        let (counts, lastError) = shared.withLock { ($0.counts, $0.lastError) }
        return .object { object in
            object.add("id", id)
            object.add("url", url.description)
            object.add("events", strings: events?.sorted() ?? GatewayEvent.usualNames)
            object.add("delivered", counts.delivered)
            object.add("failed", counts.failed)
            object.add("dropped", counts.dropped)
            object.add("retries", counts.retries)
            object.addOrNull("last-error", lastError)
        }
    }
}
