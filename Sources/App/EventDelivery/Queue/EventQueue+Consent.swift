/// A person's answer that was given while the store could not be opened.
struct EarlyAnswer {
    var purpose: ConsentPurpose
    var state: ConsentState
    var record: CapturedEvent?
}

extension EventQueue {
    /// The person's answer; `pending` until it is set. While the store cannot be opened, only answers of this process are
    /// known.
    public func consent(for purpose: ConsentPurpose) -> ConsentState {
        guard (try? load()) == nil else { return core.consent(for: purpose) }
        return earlyAnswers.first { $0.purpose == purpose }?.state ?? .pending
    }

    /// Stores the person's answer. The state that already holds is not set again, but stored if it is not yet.
    ///
    /// - `optedIn` sends what was kept.
    /// - `optedOut` deletes every event of this purpose and reports it, also what is being sent, and earlier records that
    ///   are not sent yet.
    ///
    /// An app should set its answers at each start: after damage of the store every purpose is pending.
    ///
    /// - Parameter record: An event that tells the service about the answer. It is sent at once, whatever the answer, and no
    ///   other event takes its place in a full queue.
    /// - Throws: `CaptureError`. The answer still applies. With `store`, answer and record are kept in memory until
    ///   they can be stored; the same call tries again. With `reason`, only the record is refused; the same answer with
    ///   another record adds that one.
    public func setConsent(
        _ state: ConsentState, for purpose: ConsentPurpose, record: CapturedEvent? = nil
    ) throws(CaptureError) {
        do {
            try load()
        } catch {
            keepEarly(state, for: purpose, record)
            throw CaptureError(store: error)
        }
        guard let answered = core.answer(state, for: purpose, record: record) else {
            if let failure = storeUnsaved() { throw CaptureError(store: failure) }
            return
        }
        // No request with these events starts from now on, so this comes before the writing.
        cancel(answered.settlement)
        var failure = saveSometime(changes(of: answered, state))
        let synchronizing = synchronize()
        failure = failure ?? synchronizing
        report(answered.settlement)
        pump()
        if let refusal = answered.refusal { throw CaptureError(reason: refusal) }
        if let failure { throw CaptureError(store: failure) }
    }

    private func changes(of answered: DeliveryCore.Answered, _ state: ConsentState) -> StoreChanges {
        var changes = StoreChanges()
        if let record = answered.record { changes.append = [record] }
        changes.remove = answered.settlement.ended
        changes.state = encode(core.state)
        changes.erases = state == .optedOut
        return changes
    }

    /// Stores what could not be stored before. Nil if nothing is left.
    func storeUnsaved() -> EventStoreError? {
        if !unsaved.isEmpty, let failure = saveSometime(StoreChanges()) { return failure }
        return isSynchronized ? nil : synchronize()
    }

    func synchronize() -> EventStoreError? {
        isSynchronized = false
        do {
            try withStore { try $0.synchronize() }
            isSynchronized = true
            return nil
        } catch {
            return error
        }
    }

    // Before the store is opened.

    /// Keeps the last answer for each purpose. A record that it replaces is reported.
    private func keepEarly(_ state: ConsentState, for purpose: ConsentPurpose, _ record: CapturedEvent?) {
        var answer = EarlyAnswer(purpose: purpose, state: state, record: record)
        answer.record?.purpose = purpose
        if let index = earlyAnswers.firstIndex(where: { $0.purpose == purpose }) {
            let earlier = earlyAnswers.remove(at: index)
            if earlier.state == state, let kept = earlier.record {
                answer.record = kept
            } else if let replaced = earlier.record {
                let dropped = DroppedEntry(unkept: replaced, .answeredAgain)
                core.count([dropped])
                onReport(.dropped([dropped.report]))
            }
        }
        earlyAnswers.append(answer)
    }

    /// Applies these answers to a core that has all events of the store.
    ///
    /// - Returns: What is stored for them.
    func applyEarlyAnswers(to core: inout DeliveryCore, _ settlement: inout Settlement) -> StoreChanges {
        var changes = StoreChanges()
        for answer in earlyAnswers {
            guard let answered = core.answer(answer.state, for: answer.purpose, record: answer.record) else { continue }
            settlement.add(answered.settlement)
            if let record = answered.record { changes.append.append(record) }
            if let refusal = answered.refusal, let record = answer.record {
                let dropped = DroppedEntry(unkept: record, refusal)
                core.count([dropped])
                settlement.dropped.append(dropped)
            }
            changes.erases = changes.erases || answer.state == .optedOut
        }
        return changes
    }
}
