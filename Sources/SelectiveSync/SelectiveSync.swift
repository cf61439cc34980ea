public import PushDispatch

/// Fetches the records that a push named, and those left from earlier pushes, and merges them into the store.
///
/// ```swift
/// let sync = SelectiveSync(
///     objects: [SyncObject("Account", fields: ["Name", "OwnerId", "Type"])],
///     fetcher: RESTRecordFetcher { refused in try await account.session(refused: refused) },
///     store: store, pending: pending)
/// let dispatcher = PushDispatcher(handler: sync, pending: pending)
/// ```
///
/// It only ever brings single records up to date; the app's regular sync stays the authority and keeps its own mark.
public struct SelectiveSync: HintHandler {
    private let objects: [String: SyncObject]
    private let fetcher: any RecordFetcher
    private let store: any RecordStore
    private let pending: any PendingStore
    private let onEvent: @Sendable (SyncEvent) -> Void

    /// - Parameters:
    ///   - pending: The same that the dispatcher keeps unfinished hints in.
    ///   - onEvent: Called while a hint is handled; it should return quickly.
    public init(
        objects: [SyncObject], fetcher: any RecordFetcher, store: any RecordStore, pending: any PendingStore,
        onEvent: @escaping @Sendable (SyncEvent) -> Void = { _ in }
    ) {
        self.objects = Dictionary(objects.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        self.fetcher = fetcher
        self.store = store
        self.pending = pending
        self.onEvent = onEvent
    }

    public func handle(_ hint: Hint, _ context: HandlerContext) async -> HandlerReport {
        guard let object = objects[hint.object] else {
            onEvent(.unknownObject(hint.object))
            return HandlerReport(changed: 0)
        }
        var waiting: PendingRecords?
        do {
            waiting = try await pending.pending(of: hint.object)
        } catch {
            onEvent(.pendingFailed(errorType: "\(type(of: error))"))
        }
        var pass = SyncPass(hint: hint.records, pending: waiting?.records ?? [], isInScope: object.isInScope)
        await finish(pass.outOfScope, changed: 0, of: object.name, waiting?.mark, context)
        if !pass.isFinished { await context.requestGoesOut() }
        while !Task.isCancelled, context.remainingMilliseconds > 0, let batch = pass.nextBatch() {
            let request = FetchRequest(
                object: object.name, records: batch, fields: object.fields,
                timeoutMilliseconds: context.remainingMilliseconds)
            do throws(FetchError) {
                let fetched = try await fetcher.fetch(request)
                guard let counts = await merge(fetched, of: object.name) else {
                    pass.notStored(batch)
                    continue
                }
                pass.stored(batch, counts)
                await finish(batch, changed: counts.changed, of: object.name, waiting?.mark, context)
            } catch {
                onEvent(.fetchFailed(object: object.name, error))
                let dropped = pass.failed(batch, error.advice)
                await finish(dropped, changed: 0, of: object.name, waiting?.mark, context)
            }
        }
        return pass.report
    }

    /// Nil where the store failed.
    private func merge(_ fetched: [FetchedRecord], of object: String) async -> MergeCounts? {
        do {
            let counts = try await store.merge(fetched, of: object)
            onEvent(.merged(object: object, counts))
            return counts
        } catch {
            onEvent(.storeFailed(object: object, errorType: "\(type(of: error))"))
            return nil
        }
    }

    /// Records that need nothing more, here or in the pending store.
    private func finish(
        _ records: [RecordID], changed: Int, of object: String, _ mark: PendingMark?, _ context: HandlerContext
    ) async {
        guard !records.isEmpty else { return }
        await context.done(records, changed: changed)
        guard let mark else { return }
        do {
            try await pending.forget(records, of: object, upTo: mark)
        } catch {
            // They are fetched once more with the next push, which changes nothing.
            onEvent(.pendingFailed(errorType: "\(type(of: error))"))
        }
    }
}
