import Foundation

extension EventQueue {
    func load() throws(EventStoreError) {
        guard !isLoaded else { return }
        guard !hasEnded else { throw EventStoreError(code: .unusable, file: "", detail: "the queue has ended") }
        do throws(EventStoreError) {
            try loadOnce()
        } catch {
            // The store sets a damaged file aside now.
            guard error.code == .damaged else { throw error }
            try loadOnce()
        }
    }

    private func loadOnce() throws(EventStoreError) {
        var loaded = core
        var dropped: [DroppedEntry] = []
        let recovery: StoreRecovery?
        do {
            let contents = try store.load()
            recovery = contents.recovery
            loaded.load(contents.state.map(decode) ?? StoredState(), isTrusted: recovery == nil)
            try store.readAll { event in
                if let drop = loaded.load(event) { dropped.append(drop) }
            }
        } catch {
            throw failed(error)
        }
        loaded.count(dropped)
        var settlement = Settlement()
        settlement.dropped = dropped
        var changes = applyEarlyAnswers(to: &loaded, &settlement)
        settlement.add(loaded.loaded())
        let hasAnswers = !earlyAnswers.isEmpty
        core = loaded
        isLoaded = true
        earlyAnswers = []
        if let recovery { onReport(.storeRecovered(recovery)) }
        // After a recovery the state is stored in any case: until then the next process finds the recovery again, and with it
        // that every purpose is pending.
        if recovery != nil || hasAnswers || !settlement.dropped.isEmpty {
            changes.remove = settlement.ended
            changes.state = encode(core.state)
            saveSometime(changes)
        }
        if hasAnswers { _ = synchronize() }
        report(settlement)
    }

    /// Opens the store again after it has found damage, and removes what only one of store and memory has. What this process
    /// knows of answers and of events that have ended stays right.
    ///
    /// - Parameter appended: Events that the core has and the store is about to get.
    private func reopen(_ appended: [StoredEvent]) throws {
        let contents = try store.load()
        var stored: Set<Int64> = []
        try store.readAll { stored.insert($0.sequence) }
        var all = stored
        all.formUnion((unsaved.append + appended).map(\.sequence))
        let settlement = core.keepOnly(all)
        var changes = StoreChanges()
        changes.remove = Array(stored.subtracting(core.sequences))
        changes.state = encode(core.state)
        unsaved = unsaved.adding(changes)
        if let recovery = contents.recovery { onReport(.storeRecovered(recovery)) }
        report(settlement)
        try store.commit(unsaved)
        unsaved = StoreChanges()
    }

    /// Calls the store, and once again if it had to be opened again because of damage.
    func withStore<Result>(
        appending appended: [StoredEvent] = [], _ body: (any EventStore) throws -> Result
    ) throws(EventStoreError) -> Result {
        do {
            return try body(store)
        } catch {
            let error = failed(error)
            guard error.code == .damaged else { throw error }
            do {
                try reopen(appended)
                return try body(store)
            } catch {
                throw failed(error)
            }
        }
    }

    /// Stores changes together with those that could not be stored before.
    func save(_ changes: StoreChanges) throws(EventStoreError) {
        try withStore(appending: changes.append) { try $0.commit(unsaved.adding(changes)) }
        unsaved = StoreChanges()
    }

    /// Stores changes, now or with the next ones: they have happened already.
    @discardableResult
    func saveSometime(_ changes: StoreChanges) -> EventStoreError? {
        do throws(EventStoreError) {
            try save(changes)
            return nil
        } catch {
            unsaved = unsaved.adding(changes)
            return error
        }
    }

    /// Stores and reports how events have ended.
    @discardableResult
    func settle(_ settlement: Settlement, erases: Bool = false) -> EventStoreError? {
        cancel(settlement)
        var changes = StoreChanges()
        changes.remove = settlement.ended
        changes.state = encode(core.state)
        changes.erases = erases
        let failure = !settlement.ended.isEmpty || erases ? saveSometime(changes) : nil
        report(settlement)
        return failure
    }

    /// Stops the requests whose events were withdrawn.
    func cancel(_ settlement: Settlement) {
        for id in settlement.cancelled { requests[id]?.task.cancel() }
    }

    func report(_ settlement: Settlement) {
        settlement.notices.forEach(onReport)
        if !settlement.dropped.isEmpty { onReport(.dropped(settlement.reports)) }
    }

    func events(_ sequences: [Int64]) throws(EventStoreError) -> [StoredEvent] {
        try withStore { store in
            guard !unsaved.append.isEmpty else { return try store.events(sequences) }
            let held = Dictionary(unsaved.append.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
            let stored = try store.events(sequences.filter { held[$0] == nil })
            let all = held.merging(stored.map { ($0.sequence, $0) }, uniquingKeysWith: { first, _ in first })
            return sequences.compactMap { all[$0] }
        }
    }

    func encode(_ state: StoredState) -> [UInt8] { (try? JSONEncoder().encode(state)).map { Array($0) } ?? [] }

    /// A state that cannot be read is none: every purpose is pending, which is reported.
    private func decode(_ bytes: [UInt8]) -> StoredState {
        if let state = try? JSONDecoder().decode(StoredState.self, from: Data(bytes)) { return state }
        onReport(
            .storeFailed(
                EventStoreError(
                    code: .damaged, file: "",
                    detail:
                        "the stored answers and counts cannot be read, so every purpose is pending; set the answers again"
                )))
        return StoredState()
    }

    private func failed(_ error: any Error) -> EventStoreError {
        let error =
            error as? EventStoreError
            ?? EventStoreError(code: .unusable, file: "", detail: "the store failed with \(type(of: error))")
        onReport(.storeFailed(error))
        return error
    }
}
