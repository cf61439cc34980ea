package import GatewayConfiguration
import GatewayCore
import Synchronization

/// The webhooks of one world.
package final class Webhooks: Sendable {
    private struct Shared {
        var all: [Webhook] = []
        /// Those that are removed and still post what is queued.
        var finishing: [Webhook] = []
        var lastID = 0
        /// The counts of those that have ended.
        var ended = WebhookCounts()
    }

    private let shared = Mutex(Shared())

    package var all: [Webhook] { shared.withLock { $0.all } }

    /// Of all present and past ones.
    package var totals: WebhookCounts {
        let (all, ended) = shared.withLock { ($0.all + $0.finishing, $0.ended) }
        return all.reduce(ended) { $0 + $1.counts }
    }

    /// Nil where there are too many.
    package func add(
        _ url: WebhookURL, events: Set<String>?, isFixed: Bool = false, _ tls: WebhookTLS, of world: LiveWorld
    ) -> Webhook? {
        let added: Webhook? = shared.withLock { shared in
            guard shared.all.count < GatewayConfiguration.maximumWebhooks else { return nil }
            shared.lastID += 1
            let webhook = Webhook(id: "\(shared.lastID)", url: url, events: events, isFixed: isFixed, tls)
            shared.all.append(webhook)
            return webhook
        }
        added?.start(in: world)
        return added
    }

    /// - Returns: Whether there was such a webhook.
    package func remove(_ id: String, of world: LiveWorld) -> Bool { remove(of: world) { $0.id == id } > 0 }

    /// Removes those that were added since the start. Each still posts what is queued.
    func removeAdded(of world: LiveWorld) {
        let (removed, tooMany) = shared.withLock { shared in
            let removed = shared.all.filter { !$0.isFixed }
            shared.all.removeAll { !$0.isFixed }
            shared.finishing += removed
            return (removed, shared.finishing.dropLast(GatewayConfiguration.maximumWebhooks))
        }
        for webhook in tooMany { webhook.stop(in: world) }
        for webhook in removed {
            Task {
                await webhook.finish(in: world)
                shared.withLock { shared in
                    guard let index = shared.finishing.firstIndex(where: { $0 === webhook }) else { return }
                    shared.finishing.remove(at: index)
                    shared.ended = shared.ended + webhook.counts
                }
            }
        }
    }

    /// Those that get events, and those that still post what is queued.
    private var active: [Webhook] { shared.withLock { $0.all + $0.finishing } }

    var isEmpty: Bool { active.isEmpty }

    /// Counts from now on what cannot be posted; `drain` follows.
    func beginDrain() {
        for webhook in active { webhook.beginDrain() }
    }

    /// Posts what is queued for each of them, until `giveUp()`. They get no further events.
    ///
    /// - Parameter world: Nil where its subscriptions have ended already.
    /// - Returns: How many events could not be posted.
    func drain(of world: LiveWorld?) async -> Int {
        await withTaskGroup(of: Int.self) { group in
            for webhook in active { group.addTask { await webhook.drain(in: world) } }
            return await group.reduce(0, +)
        }
    }

    func giveUp() {
        for webhook in active { webhook.giveUp() }
    }

    package func removeAll(of world: LiveWorld) {
        _ = remove(of: world) { _ in true }
        for webhook in shared.withLock({ $0.finishing }) { webhook.stop(in: world) }
    }

    private func remove(of world: LiveWorld, _ isMeant: (Webhook) -> Bool) -> Int {
        let removed = shared.withLock { shared in
            let removed = shared.all.filter(isMeant)
            shared.all.removeAll(where: isMeant)
            shared.ended = removed.reduce(shared.ended) { $0 + $1.counts }
            return removed
        }
        for webhook in removed { webhook.stop(in: world) }
        return removed.count
    }
}
