/// Webhooks at the end of a world and of the gateway.
extension Worlds {
    /// How long the webhooks of a removed world post what is queued, at most.
    static let departureTime: Duration = .seconds(60)

    /// Ends all subscriptions and waiting in a world that was removed, and is stored no more. Its webhooks get no further
    /// events, and post what is queued, for a minute at most.
    ///
    /// - Parameter lost: Called with the number of events that could not be posted, unless it is 0.
    package func endSubscriptions(ofRemoved world: LiveWorld, lost: @escaping @Sendable (Int) -> Void) {
        let webhooks = world.webhooks
        webhooks.beginDrain()
        world.endClientsAndFeeds()
        guard !webhooks.isEmpty else { return }
        departures.add(webhooks, within: Worlds.departureTime, lost)
    }

    /// Posts what is queued for webhooks, also for those of removed worlds. They get no further events.
    ///
    /// - Parameter limit: What is not posted by then is counted.
    /// - Returns: How many events of worlds that were not removed could not be posted.
    package func drainWebhooks(within limit: Duration) async -> Int {
        let worlds = all
        let timer = Task {
            try await Task.sleep(for: limit)
            for world in worlds { world.webhooks.giveUp() }
            departures.giveUp()
        }
        defer { timer.cancel() }
        return await withTaskGroup(of: Int.self) { group in
            for world in worlds {
                group.addTask {
                    // With a store, events are queued once what they are about is stored.
                    _ = await world.stored()
                    return await world.webhooks.drain(of: world)
                }
            }
            group.addTask {
                await self.departures.finish()
                return 0
            }
            return await group.reduce(0, +)
        }
    }
}
