import PushDispatch
import SelectiveSync

extension Org {
    /// The pushes of the triggers for one save (docs/reference/selective-sync.md 2), within the limits of its
    /// transaction.
    mutating func pushes(
        for order: [RecordID], _ changed: [RecordID: OrgRecord], by user: RecordID, _ source: ChangeSource,
        _ now: ServerDate
    ) throws(OrgError) -> [OutgoingPush] {
        var pushes: [OutgoingPush] = []
        // The number of calls that cannot be deferred to a later transaction, and of all calls.
        var (immediateCalls, calls) = (0, 0)
        for name in objects.keys.sorted() {
            guard let trigger = objects[name]?.trigger else { continue }
            let firings = order.compactMap { id -> OutgoingPush.Firing? in
                guard let old = records[id], let new = changed[id], new.object == name else { return nil }
                let tokens = trigger.tokens(from: old, to: new)
                guard !tokens.isEmpty else { return nil }
                if let reason = skipReason(of: trigger, new, user) {
                    log.add("TRIGGER_SKIPPED", ["record": .string(id.description), "why": .string(reason)], at: now)
                    return nil
                }
                return OutgoingPush.Firing(record: new, tokens: tokens)
            }
            let made = OutgoingPush.pushes(for: firings, by: trigger)
            calls += made.count
            if !trigger.defersCalls { immediateCalls += made.count }
            pushes += made.map { $0.called(by: trigger, source) }
        }
        guard immediateCalls <= settings.pushCallsPerTransaction else {
            log.add("SAVE_FAILED", ["push-calls": .integer(Int64(immediateCalls))], at: now)
            throw .tooManyPushCalls(settings.pushCallsPerTransaction + 1)
        }
        if calls > 0 {
            log.add(
                "LIMIT_USAGE_FOR_NS",
                [
                    "push-calls": .integer(Int64(min(calls, settings.pushCallsPerTransaction))),
                    "limit": .integer(Int64(settings.pushCallsPerTransaction)),
                ], at: now)
        }
        if calls > settings.pushCallsPerTransaction {
            let deferred = Int64(calls - settings.pushCallsPerTransaction)
            log.add("PUSH_CALLS_DEFERRED", ["push-calls": .integer(deferred)], at: now)
        }
        return pushes
    }

    /// Why the trigger does not fire; nil if it does.
    private func skipReason(of trigger: PushTrigger, _ record: OrgRecord, _ user: RecordID) -> String? {
        if trigger.ignoredUsers.contains(user) { return "the user is ignored" }
        if let kind = users[user]?.kind, trigger.ignoredKinds.contains(kind) {
            return "users of this kind are ignored: \(kind.rawValue)"
        }
        if trigger.onlyOwnChanges, record.lastModifiedBy != user { return "the last modifier is another user" }
        return nil
    }
}
