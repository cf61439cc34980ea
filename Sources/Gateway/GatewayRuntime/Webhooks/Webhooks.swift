package import GatewayConfiguration
import GatewayCore
import Synchronization

/// Who is told of the events of one world.
package final class Webhooks: Sendable {
    private struct Shared {
        var all: [Webhook] = []
        /// Those that are removed and still tell what they have heard.
        var leaving: [Webhook] = []
        var lastID = 0
        /// Of those that are gone.
        var before = WebhookCounts()
    }

    private let shared = Mutex(Shared())

    package var all: [Webhook] { shared.withLock { $0.all } }

    /// Of all that there are and were.
    package var totals: WebhookCounts {
        let (all, before) = shared.withLock { ($0.all + $0.leaving, $0.before) }
        return all.reduce(before) { $0 + $1.counts }
    }

    /// Nil where there are too many.
    package func add(
        _ url: WebhookURL, events: Set<String>?, isFixed: Bool = false, _ tls: WebhookTLS, of state: LiveWorld
    ) -> Webhook? {
        let added: Webhook? = shared.withLock { shared in
            guard shared.all.count < GatewayConfiguration.maximumWebhooks else { return nil }
            shared.lastID += 1
            let webhook = Webhook(id: "\(shared.lastID)", url: url, events: events, isFixed: isFixed, tls)
            shared.all.append(webhook)
            return webhook
        }
        added?.start(state)
        return added
    }

    /// - Returns: Whether there was such a webhook.
    package func remove(_ id: String, of state: LiveWorld) -> Bool { remove(of: state) { $0.id == id } > 0 }

    /// Removes those that were added since the start, each of which still tells what it has heard.
    package func removeAdded(of state: LiveWorld) {
        let (leaving, tooMany) = shared.withLock { shared in
            let leaving = shared.all.filter { !$0.isFixed }
            shared.all.removeAll { !$0.isFixed }
            shared.leaving += leaving
            return (leaving, shared.leaving.dropLast(GatewayConfiguration.maximumWebhooks))
        }
        for webhook in tooMany { webhook.stop(state) }
        for webhook in leaving {
            Task {
                await webhook.leave(state)
                shared.withLock { shared in
                    guard let index = shared.leaving.firstIndex(where: { $0 === webhook }) else { return }
                    shared.leaving.remove(at: index)
                    shared.before = shared.before + webhook.counts
                }
            }
        }
    }

    package func removeAll(of state: LiveWorld) {
        _ = remove(of: state) { _ in true }
        for webhook in shared.withLock({ $0.leaving }) { webhook.stop(state) }
    }

    private func remove(of state: LiveWorld, _ isMeant: (Webhook) -> Bool) -> Int {
        let removed = shared.withLock { shared in
            let removed = shared.all.filter(isMeant)
            shared.all.removeAll(where: isMeant)
            shared.before = removed.reduce(shared.before) { $0 + $1.counts }
            return removed
        }
        for webhook in removed { webhook.stop(state) }
        return removed.count
    }
}
