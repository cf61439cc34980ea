import PushDispatch
import SelectiveSync

/// A store that runs a test's action before a call.
actor HookedStore: QueryableStore {
    enum Call { case keep, pending, merge, list, versions, logIn, forgetAll, change, erase }

    let store = MemoryRecordStore()
    private var hook: (call: Call, act: @Sendable () async -> Void)?

    private var failsToForget = false

    func hook(_ call: Call, _ act: @escaping @Sendable () async -> Void) { hook = (call, act) }
    func failNextForget() { failsToForget = true }

    private var failsToForgetAll = false

    func failNextForgetAll() { failsToForgetAll = true }

    private func happen(_ call: Call) async {
        guard let hook, hook.call == call else { return }
        self.hook = nil
        await hook.act()
    }

    func keep(_ hint: Hint) async -> PendingMark? {
        await happen(.keep)
        return await store.keep(hint)
    }

    private var failsToRead = false

    /// The next reading of hints fails.
    func failNextPending() { failsToRead = true }

    func pending(of object: String, after mark: PendingMark?) async throws -> [PendingRecord] {
        if failsToRead {
            failsToRead = false
            throw Unreadable()
        }
        let pending = await store.pending(of: object, after: mark)
        await happen(.pending)
        return pending
    }
    func merge(_ batch: MergeBatch) async throws -> MergeResult {
        await happen(.merge)
        return try await store.merge(batch)
    }
    func dirtyRecords(of object: String) async -> [LocalRecord] { await store.dirtyRecords(of: object) }
    func record(_ key: RecordKey, of object: String) async -> LocalRecord? { await store.record(key, of: object) }
    func generation() async -> StoreGeneration { await store.generation() }
    func change<Value: Sendable>(
        _ keys: [RecordKey], of object: String, in generation: StoreGeneration,
        _ body: @Sendable @escaping (inout RecordChange) throws -> Value
    ) async throws -> [Value] {
        await happen(.change)
        return try await store.change(keys, of: object, in: generation, body)
    }
    func uploaded(
        _ sent: LocalRecord, _ outcome: UploadOutcome, of object: String, in generation: StoreGeneration
    ) async throws {
        try await store.uploaded(sent, outcome, of: object, in: generation)
    }
    func progress(of object: String) async -> SyncProgress { await store.progress(of: object) }
    func pendingMark() async -> PendingMark { await store.pendingMark() }
    func objectsToSync() async -> Set<String> { await store.objectsToSync() }
    func cleanRecords(of object: String, after id: RecordID?, limit: Int) async -> [RecordID] {
        await happen(.list)
        return await store.cleanRecords(of: object, after: id, limit: limit)
    }
    func user() async -> String? { await store.user() }
    func logIn(_ user: String, discardingEdits: Bool) async throws {
        await happen(.logIn)
        try await store.logIn(user, discardingEdits: discardingEdits)
    }
    func erase(discardingEdits: Bool) async throws {
        await happen(.erase)
        try await store.erase(discardingEdits: discardingEdits)
    }
    func versions(of records: [RecordID], in object: String) async -> [RecordID: StoredVersion] {
        await happen(.versions)
        return await store.versions(of: records, in: object)
    }
    func forget(_ records: [PendingRecord], of object: String) async throws {
        defer { failsToForget = false }
        if failsToForget { throw TestError() }
        await store.forget(records, of: object)
    }
    func records(_ query: RecordQuery) async throws -> RecordPage { try await store.records(query) }
    func count(_ query: RecordQuery) async throws -> Int { try await store.count(query) }
    nonisolated func observe(_ query: RecordQuery) -> AsyncThrowingStream<RecordList, any Error> {
        store.observe(query)
    }
    nonisolated func observe(_ object: String, limit: Int) -> AsyncThrowingStream<[LocalRecord], any Error> {
        store.observe(object, limit: limit)
    }
    nonisolated func observe(_ key: RecordKey, of object: String) -> AsyncThrowingStream<LocalRecord?, any Error> {
        store.observe(key, of: object)
    }
    nonisolated func observeConflicts(of object: String) -> AsyncThrowingStream<[RecordConflict], any Error> {
        store.observeConflicts(of: object)
    }
    nonisolated func observeCounts() -> AsyncThrowingStream<StoreCounts, any Error> { store.observeCounts() }
    func forgetAll() async throws {
        await happen(.forgetAll)
        defer { failsToForgetAll = false }
        if failsToForgetAll { throw TestError() }
        await store.forgetAll()
    }
}

private struct Unreadable: Error {}
