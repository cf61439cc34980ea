import GatewayConfiguration
import GatewayCore
import GatewayJSON
package import PayloadJSON
import Synchronization
import SystemFiles

/// Posts the events of one world to one address, one after the other. They come through a bounded queue, so that a slow
/// address never delays the gateway.
package final class Webhook: Sendable {
    private struct Shared {
        var counts = WebhookCounts()
        var lastError: String?
        var task: Task<Void, Never>?
        var subscription: UInt64?
        /// The post of one event, with its tries.
        var posting: Task<Bool, Never>?
        var end = End.none
        /// Events that could not be posted since the gateway began to stop, or the world was removed.
        var undelivered = 0
    }

    private enum End {
        case none
        /// It is removed and only posts what is queued, up to the first event that fails.
        case finishing
        /// The gateway stops, or the world is removed: it posts what is queued, and counts what fails.
        case draining
        /// As `draining`, after its time: nothing more is posted.
        case late
        case stopped
    }

    package let id: String
    let url: WebhookURL
    /// Nil for all but those that have to be named.
    let events: Set<String>?
    /// Whether it comes from the configuration, so that a reset keeps it.
    let isFixed: Bool
    private let tls: WebhookTLS
    /// A random part of the ids of its events: after a restart, or when a world is made again, there are webhooks with the same
    /// id whose events are others.
    private let series = String(UInt64.random(in: .min ... .max), radix: 36)
    private let shared = Mutex(Shared())

    /// How often an event is posted at most.
    private static let maximumAttempts = 5
    /// Milliseconds before the second try. Each further pause is four times as long.
    private static let firstRetryMilliseconds: Int64 = 100

    init(id: String, url: WebhookURL, events: Set<String>?, isFixed: Bool, _ tls: WebhookTLS) {
        self.id = id
        self.url = url
        self.events = events
        self.isFixed = isFixed
        self.tls = tls
    }

    var counts: WebhookCounts { shared.withLock { $0.counts } }

    /// Subscribes to the events of a world.
    func start(in world: LiveWorld) {
        let subscription = world.subscribeToEvents(named: events) { [weak self] in
            self?.shared.withLock { $0.counts.dropped += 1 }
        }
        let name = world.name
        let task = Task { [weak self] in
            var number = 0
            for await item in subscription.items {
                guard case .event(let event, _, _) = item, let self else { continue }
                number += 1
                guard await self.take(event, number, of: name) else { return }
            }
        }
        let end = shared.withLock { shared in
            shared.task = task
            shared.subscription = subscription.id
            return shared.end
        }
        // It may have been removed since it was added.
        guard end != .none else { return }
        world.unsubscribe(subscription.id)
        if end == .stopped { task.cancel() }
    }

    /// Ends at once. What is queued is not posted.
    func stop(in world: LiveWorld) {
        let shared = shared.withLock { shared in
            shared.end = .stopped
            return shared
        }
        shared.task?.cancel()
        if let subscription = shared.subscription { world.unsubscribe(subscription) }
    }

    /// Ignores new events, posts the queued ones, and stops at the first one that cannot be posted.
    func finish(in world: LiveWorld) async { await end(.finishing, in: world) }

    /// Counts from now on what cannot be posted; `drain` follows.
    func beginDrain() { begin(.draining) }

    /// Ignores new events and posts the queued ones, until `giveUp()`.
    ///
    /// - Parameter world: Nil where its subscriptions have ended already.
    /// - Returns: How many events could not be posted.
    func drain(in world: LiveWorld?) async -> Int {
        await end(.draining, in: world)
        return shared.withLock { $0.undelivered }
    }

    /// Posts nothing more and counts what is queued.
    func giveUp() {
        let posting = shared.withLock { shared in
            if shared.end != .stopped { shared.end = .late }
            return shared.posting
        }
        posting?.cancel()
    }

    private func begin(_ end: End) {
        // Once its time is over it stays over.
        shared.withLock { if $0.end == .none || $0.end == .finishing { $0.end = end } }
    }

    private func end(_ end: End, in world: LiveWorld?) async {
        begin(end)
        let (task, subscription) = shared.withLock { ($0.task, $0.subscription) }
        if let subscription { world?.unsubscribe(subscription) }
        await task?.value
    }

    private var isFinishing: Bool { shared.withLock { $0.end == .finishing } }

    /// - Returns: Whether to go on with the next event.
    private func take(_ event: GatewayEvent, _ number: Int, of world: WorldName) async -> Bool {
        let posting = shared.withLock { (shared: inout Shared) -> Task<Bool, Never>? in
            guard shared.end != .late else { return nil }
            let posting = Task { await self.post(event, number, of: world) }
            shared.posting = posting
            return posting
        }
        let isPosted = await withTaskCancellationHandler {
            await posting?.value ?? false
        } onCancel: {
            posting?.cancel()
        }
        guard !Task.isCancelled else { return false }
        return shared.withLock { shared in
            shared.posting = nil
            if isPosted { return true }
            switch shared.end {
            case .none: return true
            case .finishing, .stopped: return false
            case .draining, .late:
                shared.undelivered += 1
                return true
            }
        }
    }

    /// - Returns: Whether it was accepted.
    private func post(_ event: GatewayEvent, _ number: Int, of world: WorldName) async -> Bool {
        let body = JSONText.object { object in
            object.add("id", "\(world)-\(id)-\(series)-\(number)")
            object.add("event", event.name)
            object.add("world", world.text)
            object.add("sent", time: WallClock.milliseconds)
            object.add("data", event.json)
        }
        var pause = Webhook.firstRetryMilliseconds
        for attempt in 1...Webhook.maximumAttempts {
            let result = await WebhookCall.post(body.bytes, to: url, tls)
            guard !Task.isCancelled else { return false }
            if result == .accepted {
                shared.withLock { shared in
                    shared.counts.delivered += 1
                    shared.lastError = nil
                }
                return true
            }
            shared.withLock { $0.lastError = result.problem }
            guard result.isTemporary, attempt < Webhook.maximumAttempts, !isFinishing else { break }
            do {
                try await Task.sleep(for: .milliseconds(pause))
            } catch {
                return false  // it was removed, or its time is over
            }
            shared.withLock { $0.counts.retries += 1 }
            pause *= 4
        }
        shared.withLock { $0.counts.failed += 1 }
        return false
    }

    package var json: JSONText {
        let (counts, lastError) = shared.withLock { ($0.counts, $0.lastError) }
        return .object { object in
            object.add("id", id)
            object.add("url", url.description)
            object.add("events", strings: events?.sorted() ?? GatewayEvent.defaultNames)
            object.add("delivered", counts.delivered)
            object.add("failed", counts.failed)
            object.add("dropped", counts.dropped)
            object.add("retries", counts.retries)
            object.addOrNull("last-error", lastError)
        }
    }
}
