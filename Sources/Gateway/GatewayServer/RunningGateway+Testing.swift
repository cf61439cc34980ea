package import APNSModel
package import GatewayCore
import GatewayRuntime

/// For tests that run the gateway in their own process.
extension RunningGateway {
    /// Waits until a condition holds, and checks it whenever something happens in the gateway.
    ///
    /// - Parameter limit: Measured by the machine's clock, independent of the world's.
    /// - Returns: Whether it holds; false when the limit has passed or the task is cancelled.
    package func wait(upTo limit: Duration, until holds: @escaping @Sendable () -> Bool) async -> Bool {
        if holds() { return true }
        guard limit > .zero else { return false }
        return await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: limit) }
            group.addTask { await self.waitForEvent(until: holds) }
            await group.next()
            group.cancelAll()
            await group.waitForAll()
            return holds()
        }
    }

    private func waitForEvent(until holds: @Sendable () -> Bool) async {
        while !Task.isCancelled {
            guard let subscription = try? state.subscribeToEvents(disconnect: {}) else {
                // All subscriptions are in use; one of them may become free.
                try? await Task.sleep(for: .milliseconds(20))
                if holds() { return }
                continue
            }
            defer { state.unsubscribe(subscription.id) }
            // Changes before the subscription cause no event.
            if holds() { return }
            for await _ in subscription.items where holds() { return }
        }
    }

    package func add(_ rule: FaultRule) throws(RegistrationError) -> ActiveFault { try state.add(rule) }

    /// - Returns: Whether the rule existed.
    package func removeFault(_ id: String) -> Bool { state.removeFault(id) }

    package var faults: [ActiveFault] { state.read { world, real in world.activeFaults(real: real) } }

    package func removeFaults() { state.removeFaults() }

    /// Nil if the device does not exist.
    package func subscribe(_ token: DeviceToken, to channels: [String]) throws(RegistrationError) -> Device? {
        try state.patch(token, in: environment, DevicePatch(), channels: channels)
    }
}
