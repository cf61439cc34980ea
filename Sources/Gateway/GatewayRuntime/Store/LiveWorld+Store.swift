import APNSModel
import GatewayCore
package import GatewayStore
import Logging
import Synchronization

/// Keeping the world in a store: what is decided goes out once it is stored.
extension LiveWorld {
    /// Whether answers wait for a store.
    package var hasStore: Bool { storeQueue != nil }

    /// Whether the store took nothing the last time.
    package var isStoreFailing: Bool { shared.withLock { $0.outbox?.failure != nil } }

    /// Returns when everything decided so far is stored, at once where there is no store.
    ///
    /// - Returns: False where it could not be stored; then it has not happened.
    package func stored() async -> Bool {
        guard let storeQueue else { return true }
        return await withCheckedContinuation { continuation in
            let (isClosed, isNew) = shared.withLock { shared in
                guard let isClosed = shared.outbox?.isClosed, !isClosed else { return (true, false) }
                shared.outbox?.waiting.append { continuation.resume(returning: $0) }
                return (false, shared.outbox?.schedule() ?? false)
            }
            if isClosed { continuation.resume(returning: true) }
            if isNew { storeQueue.perform { self.store(in: $0) } }
        }
    }

    /// Tries the store again after it took nothing.
    package func retryStore() {
        guard let storeQueue, shared.withLock({ $0.outbox?.failure != nil && $0.outbox?.isClosed == false }) else {
            return
        }
        storeQueue.perform { self.retry($0) }
    }

    /// Waits for all that is to be stored. Nothing goes into the store after it.
    package func finishStoring() async {
        _ = await stored()
        shared.withLock { $0.outbox?.isClosed = true }
    }

    /// The world is removed: the store forgets it, and what is still decided in it waits for nothing.
    package func forget(in store: GatewayStore) {
        let rest = change { shared, real in
            defer { shared.outbox = nil }
            let rest = shared.outbox?.take() ?? Outbox()
            for publication in rest.publications { shared.release(publication, real) }
            return rest
        }
        for waiting in rest.waiting { waiting(true) }
        do throws(StoreError) {
            try store.remove(name.text)
        } catch {
            storeQueue?.logger.error(
                "\(error.description). The world \(name) is removed, and back with the next start.")
        }
    }

    /// On the store's thread: one commit for all that has changed since the last one.
    package func store(in store: GatewayStore) {
        let taken = shared.withLock { shared in
            shared.outbox == nil ? nil : (shared.outbox?.take() ?? Outbox(), shared.world.takeChanges())
        }
        guard let (batch, changes) = taken else { return }
        guard batch.failure?.isAhead != true else { return giveUp(batch.waiting) }
        do throws(StoreError) {
            try store.write([name.text: changes])
        } catch {
            return fail(error, batch.waiting, store)
        }
        if !batch.publications.isEmpty {
            change { shared, real in
                for publication in batch.publications { shared.release(publication, real) }
            }
        }
        for waiting in batch.waiting { waiting(true) }
    }

    /// What was decided and cannot be stored has not happened: the world goes back to what the store has, and from now on
    /// notifications are refused.
    private func fail(_ error: StoreError, _ waiting: [@Sendable (Bool) -> Void], _ store: GatewayStore) {
        let isNew = shared.withLock { shared in
            let refused = shared.outbox?.failure?.refused
            shared.outbox?.failure = Outbox.Failure(refused: refused ?? 0, isAhead: true)
            return refused == nil
        }
        giveUp(waiting)
        if isNew {
            storeQueue?.logger.error(
                "\(error.description). Notifications are refused with ServiceUnavailable until it can be written again."
            )
        }
        reload(from: store)
    }

    private func reload(from store: GatewayStore) {
        let snapshot: WorldSnapshot?
        do throws(StoreError) {
            snapshot = try store.load(name.text)
        } catch {
            return
        }
        let waiting = change { shared, real in
            if let snapshot {
                // What was in `start` has registered before, so it does again.
                guard
                    var world = try? World(
                        shared.world.start, snapshot, clockMode: nil, settings: snapshot.core.storedSettings.now,
                        replacing: shared.world, real: real)
                else { return [@Sendable (Bool) -> Void]() }
                world.beginStoring(isStored: true)
                shared.world = world
            } else {
                // It was never stored, so that nothing of it has happened yet.
                shared.world.reset(real: real)
            }
            shared.endListenersOfDevices()
            shared.lookAgain()
            let waiting = shared.outbox?.take().waiting ?? []
            shared.outbox?.failure?.isAhead = false
            return waiting
        }
        giveUp(waiting)
    }

    private func giveUp(_ waiting: [@Sendable (Bool) -> Void]) {
        for waiting in waiting { waiting(false) }
    }

    private func retry(_ store: GatewayStore) {
        guard let failure = shared.withLock({ $0.outbox?.failure }) else { return }
        if failure.isAhead { reload(from: store) }
        guard (try? store.probe()) != nil else { return }
        let refused = shared.withLock { shared -> Int? in
            guard let failure = shared.outbox?.failure, !failure.isAhead else { return nil }
            shared.outbox?.failure = nil
            return failure.refused
        }
        guard let refused, let storeQueue else { return }
        storeQueue.logger.notice("\(storeQueue.path) can be written again; \(refused) requests were refused meanwhile.")
    }
}

extension LiveWorld.Shared {
    /// Has `kept` called when all that was decided so far is stored or could not be, and in any case after this call.
    package mutating func whenStored(_ kept: @escaping @Sendable (_ isStored: Bool) -> Void) {
        if outbox?.isClosed == false {
            outbox?.waiting.append(kept)
        } else {
            afterwards.append { kept(true) }
        }
    }
}

extension Worlds {
    /// Waits for all that is to be stored or recorded, and closes the store.
    package func closeStore() async {
        for state in all { await state.finishStoring() }
        storeQueue?.close()
        recorder?.flush()
    }
}
