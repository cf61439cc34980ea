import APNSModel
import PushDispatch
import SelectiveSync

extension Org {
    /// The pushes of the triggers for one save (docs/reference/selective-sync.md 2), within the limits of its
    /// transaction. The decisions are kept in `changes`.
    mutating func pushes(
        for order: [RecordID], _ changed: [RecordID: OrgRecord], by user: RecordID, _ source: ChangeSource,
        _ now: ServerDate
    ) throws(OrgError) -> [OutgoingPush] {
        guard !order.isEmpty else { return [] }
        var change = changes.begin(at: now, by: user, from: source.kind)
        change.records = order.compactMap { id in
            guard let old = records[id], let new = changed[id] else { return nil }
            return row(from: old, to: new, by: user, source.kind)
        }
        for record in change.records {
            guard case .held(let gate)? = record.decision else { continue }
            log.add(
                "TRIGGER_SKIPPED", ["record": .string(record.id.description), "why": .string("\(gate)")], at: now)
        }
        var pushes: [OutgoingPush] = []
        // The number of calls that cannot be deferred to a later transaction.
        var immediateCalls = 0
        for name in objects.keys.sorted() {
            guard let trigger = objects[name]?.trigger else { continue }
            let firings = change.records.compactMap { row -> OutgoingPush.Firing? in
                guard row.object == name, case .fires(let tokens)? = row.decision, let new = changed[row.id] else {
                    return nil
                }
                return OutgoingPush.Firing(record: new, tokens: tokens)
            }
            guard !firings.isEmpty else { continue }
            change.triggers.append(.init(object: name, target: trigger.target, application: trigger.application))
            for push in OutgoingPush.pushes(for: firings, by: trigger) {
                let isDeferred = pushes.count >= settings.pushCallsPerTransaction
                change.calls.append(call(push, trigger, changed, isDeferred: isDeferred))
                if !trigger.defersCalls { immediateCalls += 1 }
                var push = push.called(by: trigger, source)
                push.place = OrgChange.CallPlace(change: change.number, call: pushes.count)
                pushes.append(push)
            }
        }
        guard immediateCalls <= settings.pushCallsPerTransaction else {
            log.add("SAVE_FAILED", ["push-calls": .integer(Int64(immediateCalls))], at: now)
            let failure = OrgError.tooManyPushCalls(settings.pushCallsPerTransaction + 1)
            change.failure = failure
            change.failureFlaws = [.sendPerRecord]
            change.calls = []
            changes.add(change)
            throw failure
        }
        addOthers(to: &change, changed)
        changes.add(change)
        if !pushes.isEmpty { logUsage(pushes.count, now) }
        return pushes
    }

    private mutating func logUsage(_ calls: Int, _ now: ServerDate) {
        let limit = settings.pushCallsPerTransaction
        log.add(
            "LIMIT_USAGE_FOR_NS",
            ["push-calls": .integer(Int64(min(calls, limit))), "limit": .integer(Int64(limit))], at: now)
        guard calls > limit else { return }
        log.add("PUSH_CALLS_DEFERRED", ["push-calls": .integer(Int64(calls - limit))], at: now)
    }

    private func row(
        from old: OrgRecord, to new: OrgRecord, by user: RecordID, _ source: ChangeSource.Kind
    ) -> OrgChange.Record {
        let trigger = objects[new.object]?.trigger
        let kind = users[user]?.kind
        let decision = trigger?.decision(from: old, to: new, by: user, kind, source)
        let names = Set(old.fields.keys).union(new.fields.keys)
        var flaws: [PushTrigger.Flaw] = []
        switch decision {
        case .caseOnly: flaws.append(.ignoresCase)
        case .fires where trigger?.hasNoGate == true:
            // The gates that a trigger has if nothing else is said.
            if PushTrigger.account.gate(new, user, kind, source) != nil { flaws.append(.everySource) }
        default: break
        }
        return OrgChange.Record(
            id: new.id, object: new.object,
            fields: names.filter { old.fields[$0] ?? .null != new.fields[$0] ?? .null }.sorted(),
            decision: decision, flaws: flaws, watched: trigger?.watched.map(\.field) ?? [])
    }

    private func call(
        _ push: OutgoingPush, _ trigger: PushTrigger, _ changed: [RecordID: OrgRecord], isDeferred: Bool
    ) -> OrgChange.Call {
        OrgChange.Call(
            type: push.type, application: trigger.application, user: push.targetUser, target: trigger.target,
            records: push.records, flaws: trigger.flaws.contains(.nameInPayload) ? [.nameInPayload] : [],
            hidden: push.records.count { id in
                changed[id].map { !isVisible($0, to: push.targetUser) } ?? false
            },
            isDeferred: isDeferred)
    }

    /// Adds the users who have a device with an app of the pushes; those who are not a target of a call come first.
    private func addOthers(to change: inout OrgChange, _ changed: [RecordID: OrgRecord]) {
        guard !change.calls.isEmpty else { return }
        let targets = Set(change.calls.map(\.user))
        let bundles = Set(change.triggers.compactMap { apps[$0.application]?.bundleID.value })
        var counts: [RecordID: Int] = [:]
        for device in devices.values where bundles.contains(device.bundleID) { counts[device.user, default: 0] += 1 }
        let fired = Set(change.calls.flatMap(\.records)).compactMap { changed[$0] }
        let users = counts.keys.map { (targets.contains($0) ? 1 : 0, $0.description, $0) }.sorted {
            ($0.0, $0.1) < ($1.0, $1.1)
        }
        change.others = users.prefix(OrgChange.maximumOthers).map { _, _, user in
            OrgChange.Other(
                user: user, devices: counts[user] ?? 0, seesRecord: fired.contains { isVisible($0, to: user) })
        }
        change.uncounted = max(0, users.count { $0.0 == 0 } - OrgChange.maximumOthers)
    }
}
