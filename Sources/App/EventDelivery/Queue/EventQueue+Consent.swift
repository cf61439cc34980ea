extension EventQueue {
    /// The person's answer; `pending` until it is set, and while the store cannot be opened.
    public func consent(for purpose: ConsentPurpose) -> ConsentState {
        (try? load()) == nil ? .pending : core.consent(for: purpose)
    }

    /// Stores the person's answer. The state that already holds is not set again.
    ///
    /// - `optedIn` sends what was kept.
    /// - `optedOut` deletes every event of this purpose and reports it, also what is being sent, and earlier records that
    ///   are not sent yet.
    ///
    /// An app should set its answers at each start: after damage of the store every purpose is pending.
    ///
    /// - Parameter record: An event that tells the service about the answer. It is sent at once, whatever the answer.
    /// - Throws: `CaptureError`. The answer holds all the same, and is stored with the next change that can be stored.
    public func setConsent(
        _ state: ConsentState, for purpose: ConsentPurpose, record: CapturedEvent? = nil
    ) throws(CaptureError) {
        do { try load() } catch { throw CaptureError(store: error) }
        guard var settlement = core.setConsent(state, for: purpose) else { return }
        var changes = StoreChanges()
        var refusal: DropReason?
        if var record {
            record.purpose = purpose
            switch core.admit(record, isRecord: true) {
            case .refuse(let reason): refusal = reason
            case .keep(let sequence, let victims):
                changes.append = [StoredEvent(sequence: sequence, event: record, isRecord: true)]
                settlement.dropped += core.keep(record, victims: victims, isRecord: true).dropped
                _ = core.flush(core.index(of: record.destination), isForced: false)
            }
        }
        changes.remove = settlement.ended
        changes.state = encode(core.state)
        changes.erases = state == .optedOut
        var failure = saveSometime(changes)
        if failure == nil { failure = synchronize() }
        report(settlement)
        pump()
        if let refusal { throw CaptureError(reason: refusal) }
        if let failure { throw CaptureError(store: failure) }
    }

    func synchronize() -> EventStoreError? {
        do {
            try store.synchronize()
            return nil
        } catch {
            let error = EventQueue.reading(error)
            onReport(.storeFailed(error))
            return error
        }
    }
}
