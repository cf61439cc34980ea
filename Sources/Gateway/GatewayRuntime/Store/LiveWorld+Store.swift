import APNSModel
import GatewayCore
import GatewayStore
import Logging
import Synchronization

/// Storing the world. Decisions are made in memory and written soon after; nothing is published or answered before the
/// decision behind it is written.
extension LiveWorld {
    /// Whether answers wait for a store.
    package var hasStore: Bool { storeQueue != nil }

    /// Whether the last write of the store failed, and requests are refused because of it.
    package var isStoreFailing: Bool { withState { $0.outbox?.failure != nil } }

    /// Returns when everything decided so far is stored, at once where there is no store.
    ///
    /// - Returns: False if it could not be stored. Then it has not happened.
    package func stored() async -> Bool {
        guard storeQueue != nil else { return true }
        return await withCheckedContinuation { continuation in
            change { state, _ in state.whenStored { continuation.resume(returning: $0) } }
        }
    }

    /// Tries the store again after a failed write.
    package func retryStore() {
        guard let storeQueue, withState({ $0.outbox?.failure != nil && $0.outbox?.isClosed == false }) else { return }
        storeQueue.perform { self.retry($0) }
    }

    /// Waits until everything decided so far is stored. Nothing is stored after it.
    func finishStoring() async {
        _ = await stored()
        withState { $0.outbox?.close() }
    }

    /// The world is removed: the store deletes it. Later decisions in it are published at once, without a store.
    func forget(in store: GatewayStore) {
        let rest = change { state, real in
            defer { state.outbox = nil }
            let rest = state.outbox?.take() ?? Outbox.Batch()
            for publication in rest.publications { state.deliver(publication, real) }
            return rest
        }
        for callback in rest.callbacks { callback(true) }
        do throws(StoreError) {
            try store.remove(name.text)
        } catch {
            storeQueue?.logger.error(
                "\(error.description). The world \(name) is removed now, and is there again after the next start.")
        }
    }

    /// Writes all changes since the last write in one commit. Runs on the store's queue.
    func store(in store: GatewayStore) {
        let taken = withState { state in
            state.outbox == nil
                ? nil : (state.outbox?.take() ?? Outbox.Batch(), state.world.takeChangesLater(), state.outbox?.failure)
        }
        guard let (batch, changes, failure) = taken else { return }
        guard failure?.isAhead != true else {
            withState { $0.outbox?.countRefusals(batch.requests) }
            return giveUp(batch.callbacks)
        }
        do throws(StoreError) {
            try store.write([name.text: changes()])
        } catch {
            return fail(error, batch, store)
        }
        if !batch.publications.isEmpty {
            change { state, real in
                for publication in batch.publications { state.deliver(publication, real) }
            }
        }
        for callback in batch.callbacks { callback(true) }
    }

    /// After a failed write the world is loaded again from the store, and requests are refused until a write succeeds.
    private func fail(_ error: StoreError, _ batch: Outbox.Batch, _ store: GatewayStore) {
        let isNew = withState { $0.outbox?.writeFailed(refusing: batch.requests) ?? false }
        giveUp(batch.callbacks)
        // Of one that is given up, the standard world reports it.
        if isNew, !isGivenUp {
            storeQueue?.logger.error(
                "\(error.description). Notifications are refused with ServiceUnavailable until it can be written again."
            )
        }
        // One that is given up keeps its failure, so that nothing of it is written any more.
        if !isGivenUp { reload(from: store) }
    }

    /// Looks whether the store can be written, after a world of its first use could not be. If not, this world reports it once and
    /// tries again, and the gateway is not ready meanwhile.
    func checkStore(afterFailureOf name: WorldName) {
        guard let storeQueue, !isStoreFailing else { return }
        storeQueue.perform { store in
            guard !self.isStoreFailing else { return }
            do throws(StoreError) {
                try store.probe()
            } catch {
                return self.fail(error, Outbox.Batch(), store)
            }
            storeQueue.logger.error("The world \(name.text) was not made, because it could not be stored.")
        }
    }

    private func reload(from store: GatewayStore) {
        let snapshot: WorldSnapshot?
        do throws(StoreError) {
            snapshot = try store.load(name.text)
        } catch {
            return
        }
        guard let undone = exchange.withLock({ _ in goBack(to: snapshot) }) else { return }
        giveUp(undone.callbacks)
        reread(undone.journal, for: undone.waiting)
    }

    private struct Undone: Sendable {
        let callbacks: [@Sendable (Bool) -> Void]
        /// For `reread`.
        let waiting: [UInt64]
        let journal: Range<UInt64>
    }

    /// The lock is held only to exchange the two states.
    private func goBack(to snapshot: WorldSnapshot?) -> Undone? {
        let (start, real) = read { world, real in (world.start, real) }
        let stored: World
        if let snapshot {
            // Cannot fail: everything in `start` was registered before.
            guard
                var world = try? World(
                    start, snapshot, clockMode: nil, settings: snapshot.core.storedSettings.now, real: real)
            else { return nil }
            world.beginStoring(isStored: true)
            stored = world
        } else {
            // The world was never stored, so nothing in it has happened yet.
            stored = World(resetting: start, real: real)
        }
        return change { (state, _) -> Undone in
            let former = state.world
            if snapshot == nil { state.world.reset(to: stored) } else { state.world.goBack(to: stored) }
            // What it held is freed without the lock.
            state.afterUnlock { withExtendedLifetime(former) {} }
            state.disconnectDevices()
            return Undone(
                callbacks: state.outbox?.reloaded() ?? [], waiting: state.waiters.startAgain(),
                journal: state.world.journalSequences)
        }
    }

    private func giveUp(_ callbacks: [@Sendable (Bool) -> Void]) {
        for callback in callbacks { callback(false) }
    }

    private func retry(_ store: GatewayStore) {
        guard let failure = withState({ $0.outbox?.failure }) else { return }
        if failure.isAhead { reload(from: store) }
        guard (try? store.probe()) != nil else { return }
        guard let refused = withState({ $0.outbox?.recovered() }), let storeQueue else { return }
        storeQueue.logger.notice("\(storeQueue.path) can be written again; \(refused) requests were refused meanwhile.")
    }
}

extension Worlds {
    /// Whether requests of some world are refused because it cannot be stored.
    package var isStoreFailing: Bool { storeQueue != nil && all.contains { $0.isStoreFailing } }

    /// Waits until everything is stored and recorded, and closes the store.
    package func closeStore() async {
        for world in everyWorld { await world.finishStoring() }
        storeQueue?.close()
        recorder?.flush()
    }
}
