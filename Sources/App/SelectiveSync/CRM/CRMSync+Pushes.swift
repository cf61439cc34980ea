public import PushDispatch

extension CRMSync {
    /// Handles a push and calls `completion` exactly once, by the deadline at the latest. The time counts from this call.
    public nonisolated func handle(
        _ push: Push, from entryPoint: EntryPoint, deadline: DispatchMoment?,
        completion: @escaping @Sendable (PushResult) -> Void
    ) {
        let deadline = deadline ?? budgetEnd()
        Task { completion(await self.take(push, entryPoint, deadline)) }
    }

    /// Handles a push and returns when its result is known, by the deadline at the latest. The time counts from this call.
    ///
    /// - Returns: `failed` if the store cannot be opened in time. A regular sync follows as soon as it can.
    public nonisolated(nonsending) func handle(
        _ push: Push, from entryPoint: EntryPoint, deadline: DispatchMoment? = nil
    ) async -> PushResult {
        await take(push, entryPoint, deadline ?? budgetEnd())
    }

    private nonisolated func budgetEnd() -> DispatchMoment {
        configuration.clock.now().advanced(byMilliseconds: configuration.dispatch.budgetMilliseconds)
    }

    private func take(_ push: Push, _ entryPoint: EntryPoint, _ deadline: DispatchMoment) async -> PushResult {
        let stopAt = deadline.advanced(byMilliseconds: -configuration.dispatch.reserveMilliseconds)
        let ready = await firstValue(by: stopAt, clock) { await self.ready() }
        guard let parts = ready ?? nil else {
            // The regular sync brings what the push names.
            let isOpen = board.update { state in
                state.lifecycle.syncIsDue()
                return state.lifecycle.isOpen
            }
            report(.pushMissed(entryPoint))
            // The store was opened since, and whoever opened it did not know of this push.
            if isOpen { Task { await self.refreshIfDue() } }
            return .failed
        }
        return await parts.dispatcher.handle(push, from: entryPoint, deadline: deadline)
    }

    /// Nil if the store cannot be opened. During a change of users the push waits: it is handled, or ignored, for the next
    /// one.
    private func ready() async -> Parts? {
        guard let parts = try? await open() else { return nil }
        if board.read(\.lifecycle.isChanging) { await changes {} }
        return parts
    }
}
