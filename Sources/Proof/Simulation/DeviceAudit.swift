import OrgSimulator
import PushDispatch
import SelectiveSync

/// Checks the invariants of one device after every step.
///
/// @unchecked: only the thread of the simulation uses it.
final class DeviceAudit: @unchecked Sendable {
    private unowned let device: AuditedDevice
    private unowned let run: Run
    /// The pending list after the store's last step.
    private(set) var list: PendingList
    /// When a push for the current user last named a record.
    private var named: [RecordID: Int] = [:]
    /// When a record's hint was last read from the store.
    private var read: [RecordID: Int] = [:]
    /// When the request began whose answer was stored last for a record.
    private var served: [RecordID: Int] = [:]
    /// When the request began whose answer arrived last for a record.
    private var answered: [RecordID: Int] = [:]
    /// Records with contradicting answers, which are therefore requested again.
    private var contradicted: Set<RecordID> = []
    /// When the hints of records were dropped without a fetch; copies in memory may still be fetched.
    private var droppedHints: [RecordID: Int] = [:]
    /// Hints that leave the list in the current step because their records were fetched.
    private var forgotten: Set<RecordID> = []
    private var unfetchedHints = UnfetchedHints()
    /// The time of the org's clock at which the last pass of an object started that has listed what was committed late.
    private var passDates: [String: ServerDate] = [:]
    /// Records that a stored answer reported as missing.
    private var missing: Set<RecordID> = []
    let edits: EditAudit
    /// The stamps that uploads returned for their records.
    private var uploads: [RecordKey: ServerDate] = [:]

    init(_ device: AuditedDevice, _ list: PendingList) {
        self.device = device
        run = device.run
        edits = EditAudit(device.name, device.run)
        self.list = list
    }

    func stepped(_ list: PendingList) {
        if list.count < self.list.count || !list.objectsToSync.isEmpty {
            for object in AppProcess.objects {
                let removed = Set(self.list.pending(of: object).map(\.record))
                    .subtracting(list.pending(of: object).map(\.record)).subtracting(forgotten)
                for record in removed { droppedHints[record] = run.nextNumber() }
            }
        }
        forgotten = []
        self.list = list
        unfetchedHints.stepped(list)
        if list.count > list.maximumRecords {
            run.reportViolation("\(device.name) keeps \(list.count) hints; \(list.maximumRecords) are allowed")
        }
    }

    // MARK: Causes

    func named(_ records: [RecordID], number: Int) {
        for record in records { named[record] = number }
    }

    /// A push that is still being handled fetches its records although the list is full.
    func listWasFull(_ records: [RecordID]) {
        named(records.filter { device.process?.awaits($0) == true && named[$0] != nil }, number: run.nextNumber())
    }

    /// A hint that is read while a request for its record is under way causes one more request.
    func read(_ records: [RecordID]) {
        let number = run.nextNumber()
        for record in records { read[record] = number }
    }

    func requested(_ request: FetchRequest, number: Int) {
        let pending = Set(list.pending(of: request.object).map(\.record))
        let limit = run.settings.sync.maximumBatch
        if request.records.count > limit {
            run.reportViolation(
                "\(device.name) asks for \(request.records.count) records at once; \(limit) are allowed")
        }
        for record in request.records where !pending.contains(record) {
            let cause = [named[record], read[record]].compactMap(\.self).max()
            let isNamed = cause.map { cause in served[record].map { $0 < cause } ?? true } ?? false
            let isAwaited = device.process?.awaits(record) == true && named[record] != nil
            if isNamed || isAwaited || contradicted.contains(record) || droppedHints[record] != nil { continue }
            run.reportViolation("\(device.name) asks for \(record), which no push has named since it was stored")
        }
        if let user = device.account {
            // Answered with the record, also if it is deleted until the answer is stored.
            missing.subtract(request.records.filter { run.org.shows($0, to: user) })
        }
        for record in request.records where named[record] == nil && !contradicted.contains(record) {
            run.reportViolation("\(device.name) asks for \(record), which no push for its user has named")
        }
    }

    func answered(_ request: FetchRequest, number: Int) {
        for record in request.records { answered[record] = number }
    }

    // MARK: Merges

    func merged(_ batch: MergeBatch, _ result: MergeResult, _ before: StoreState, _ after: StoreState) {
        let isUpload = batch.syncID == "upload"
        let isSelective = batch.syncID == nil
        edits.merged(batch, before, after)
        for (key, record) in after.records {
            if let conflict = record.conflict, conflict != before.records[key]?.conflict { edits.check(conflict) }
        }
        if let pass = batch.progress?.pass, let date = pass.serverDate {
            // A pass that still lists what was committed late has not found it yet.
            if case .list = pass.step {} else { passDates[batch.object] = date }
        }
        for (key, old) in before.records {
            if let new = after.records[key], let was = stamp(old), let now = stamp(new), now < was {
                run.reportViolation("\(device.name): \(key) went back from \(was) to \(now)")
            }
        }
        if isSelective || isUpload, !batch.answers.isEmpty, after.progress != before.progress {
            run.reportViolation("\(device.name): a selective fetch moved the progress of \(batch.object)")
        }
        // With new fields everything is fetched again.
        if before.progress.scope == after.progress.scope, let old = before.progress.mark, let new = after.progress.mark,
            new < old
        {
            run.reportViolation("\(device.name): the mark of \(batch.object) went back from \(old) to \(new)")
        }
        run.trace(
            "\(device.name) stores \(batch.answers.count) of \(batch.object)\(isSelective ? "" : isUpload ? " (upload)" : " (regular sync)"), "
                + "\(result.changed.count) changed")
        checkGone(batch, before, after)
        contradicted.formUnion(batch.keep)
        if batch.isReadWithoutFilter, after.list.mark != before.list.mark {
            // A record that is without edits now is requested with the filter, like one that a push named.
            let clean = batch.answers.map(\.id).filter { after.records[.server($0)]?.isDirty == false }
            named(clean, number: run.nextNumber())
        }
        forgets(batch.forget)
        if isSelective {
            let differences = batch.answers.map { answer in
                difference(before.records[.server(answer.id)], after.records[.server(answer.id)])
            }
            if let greatest = differences.max() { device.process?.merged(greatest) }
            for answer in batch.answers {
                guard let began = answered[answer.id] else { continue }
                served[answer.id] = max(began, served[answer.id] ?? 0)
                if let dropped = droppedHints[answer.id], dropped < began { droppedHints[answer.id] = nil }
                unfetchedHints.served(answer.id, began: began)
                device.process?.served(answer.id)
            }
        } else if !isUpload {
            if after.progress.state == .done, let mark = after.progress.served {
                unfetchedHints.regularSyncDone(of: batch.object, began: mark)
            }
            checkMark(batch.object, after)
        }
        if !isUpload { run.count(isSelective ? .selectiveMerge : .regularMerge) }
        if !result.counts.conflicts.isEmpty { run.count(.conflict) }
        if !result.counts.dirtyMissing.isEmpty || result.counts.dirty > 0 { run.count(.dirtyLeft) }
    }

    enum Difference: Comparable { case none, inside, visible }

    /// The change that a user sees after a merge, computed independently of the store's report.
    private func difference(_ old: LocalRecord?, _ new: LocalRecord?) -> Difference {
        if old == new { return .none }
        guard let old, let new, old.isGone == new.isGone || old.isDirty else { return .visible }
        // The echo of an upload is not new data (docs/reference/selective-sync.md 9, rule 8).
        let newest = [new.record?.systemModstamp, new.record?.lastModifiedDate].compactMap(\.self).max()
        if let uploaded = uploads[old.key], newest == uploaded { return .none }
        let isVisible = ["Name", "OwnerId", "Type", "Status", "AccountId"].contains { field in
            if let was = old.fields[field], let now = new.fields[field] { was != now } else { false }
        }
        return isVisible ? .visible : .inside
    }

    /// A record that an answer reported as missing may come back only if the org shows it.
    private func checkGone(_ batch: MergeBatch, _ before: StoreState, _ after: StoreState) {
        guard let owner = after.owner.flatMap({ RecordID($0) }) else { return }
        for answer in batch.answers {
            guard case .record = answer else {
                missing.insert(answer.id)
                continue
            }
            // A page may show the records of the time of its query.
            if batch.syncID != nil, batch.syncID != "upload", !run.settings.readsPagesLate { missing.remove(answer.id) }
            if missing.contains(answer.id), before.records[.server(answer.id)]?.isGone ?? true,
                after.records[.server(answer.id)]?.isGone == false, !run.org.shows(answer.id, to: owner)
            {
                run.reportViolation("\(device.name): \(answer.id) was reported missing, but is stored again")
            }
        }
    }

    /// All changes of the org before the mark must be stored, except for those that were committed since the pass started.
    private func checkMark(_ object: String, _ after: StoreState) {
        guard let mark = after.progress.mark, let owner = after.owner.flatMap({ RecordID($0) }) else { return }
        // The mark is that of the filter in the progress, and another one may be in use since.
        let filter = device.scope.filters[object]?.condition
        guard after.progress.scope?.filter == (try? filter?.text()) else { return }
        // A pass that lists everything once more, for example with a new filter, has not come to the mark yet.
        if let pass = after.progress.pass, pass.wantsComparison, case .list = pass.step { return }
        let waiting = Set(after.list.pending(of: object).map(\.record))
        for row in run.org.rows(of: object, for: owner)
        where row.systemModstamp < mark && run.settings.isInScope(row.id) && device.scope.contains(row)
            && !waiting.contains(row.id)
        {
            let local = after.records[.server(row.id)]
            if local?.isDirty == true { continue }
            if let date = passDates[object], let commit = run.org.commits[row.id], commit >= date { continue }
            guard let local, let stamp = stamp(local), stamp >= row.systemModstamp else {
                run.reportViolation("\(device.name): the mark of \(object) is past \(row.id), which is not stored")
                continue
            }
        }
    }

    private func stamp(_ record: LocalRecord) -> ServerDate? { record.record?.systemModstamp }

    // MARK: Users and edits

    func loggedIn(_ user: String, former: String?, isDiscarding: Bool) {
        guard let former, former != user else { return }
        if !edits.isEmpty, !isDiscarding {
            run.reportViolation("\(device.name): edits were lost with the change of its user")
        }
        edits.forgetAll()
        uploads = [:]
        forgetCauses()
        // No hint of the former user may be fetched with the session of this one.
        named = [:]
    }

    func forgetCauses() {
        // Hints that a regular sync would not replace wait until the user returns.
        let waiting = Set(AppProcess.objects.flatMap { list.pending(of: $0).map(\.record) })
        named = named.filter { waiting.contains($0.key) }
        read = [:]
        served = [:]
        contradicted = []
        droppedHints = [:]
        missing = []
        unfetchedHints.forgetAll()
    }

    /// The app dropped the pending list before its user changes; hints that were read before may still be fetched.
    func pendingDropped() { unfetchedHints.forgetAll() }

    func forgets(_ records: [PendingRecord]) { forgotten.formUnion(records.map(\.record)) }

    func changed(_ object: String, _ keys: [RecordKey], _ before: StoreState, _ after: StoreState) {
        edits.changed(object, keys, before, after)
        if after.list.mark != before.list.mark { named(keys.compactMap(\.id), number: run.nextNumber()) }
    }

    /// The store applied the outcome of an upload.
    func uploaded(
        _ sent: LocalRecord, _ outcome: UploadOutcome, of object: String, _ before: StoreState, _ after: StoreState
    ) {
        for (key, old) in before.records where key != sent.key && outcome.newKey != key && old.isDirty {
            var expected = old
            if let id = outcome.newKey?.id { expected.follow(sent.key, to: id) }
            if after.records[key] != expected {
                run.reportViolation("\(device.name): the upload of \(sent.key) changed \(key), which has an edit too")
            }
        }
        edits.uploaded(sent, outcome, object, after)
        checkVersion(outcome.newKey ?? sent.key, outcome, after)
        checkUnread(outcome.newKey ?? sent.key, outcome, object, after)
        let key = outcome.newKey ?? sent.key
        // A copy that a regular sync has passed is requested like a record that a push named.
        if after.list.mark != before.list.mark, let id = key.id { named([id], number: run.nextNumber()) }
        guard before.records[sent.key]?.isDirty == true else { return }
        if case .clean(_, let date, let version) = outcome {
            uploads[key] = date ?? [version?.systemModstamp, version?.lastModifiedDate].compactMap(\.self).max()
        }
        switch outcome {
        case .clean: run.count(.upload)
        case .remove:
            run.count(.upload)
            if let id = sent.key.id { missing.insert(id) }
            guard let id = sent.key.id, let owner = after.owner.flatMap({ RecordID($0) }) else { return }
            if run.org.shows(id, to: owner) {
                run.reportViolation("\(device.name): \(sent.key) counts as deleted, but the org shows it")
            }
        case .leave, .createAnew, .error, .unknown, .failPass: break
        }
    }

    /// The version that was read after the upload is in the store at once, with what automation has changed.
    private func checkVersion(_ key: RecordKey, _ outcome: UploadOutcome, _ after: StoreState) {
        guard case .clean(_, _, let version?) = outcome, let record = after.record(key), !record.isDirty,
            let stored = stamp(record), version.systemModstamp.map({ stored <= $0 }) ?? true
        else { return }
        for field in EditAudit.fields
        where version.fields[field] != nil && record.fields[field] != version.fields[field] {
            run.reportViolation("\(device.name): \(field) of \(key) is not that of the version read after its upload")
        }
    }

    /// A record that is clean after an upload, and whose version was not read then, waits to be fetched: a regular sync may have
    /// passed that version. Only a device without any regular sync needs no hint.
    private func checkUnread(_ key: RecordKey, _ outcome: UploadOutcome, _ object: String, _ after: StoreState) {
        guard case .clean(_, _, nil) = outcome, let record = after.record(key), !record.isDirty, let id = key.id,
            after.progress.mark != nil || after.progress.pass != nil,
            !after.list.pending(of: object).contains(where: { $0.record == id })
        else { return }
        run.reportViolation(
            "\(device.name): \(key) is clean, but neither is its version after the upload stored nor its hint")
    }

    // MARK: Hints

    func served(_ record: RecordID, since number: Int) -> Bool { served[record].map { $0 > number } ?? false }

    func regularSyncBegins(at mark: PendingMark) {
        unfetchedHints.regularSyncBegins(at: mark, number: run.nextNumber())
    }

    /// Called when the wake ends and no request since `number` has fetched the record: its hint must be safe.
    func leavesUnfetched(_ record: RecordID, of object: String, to wake: Wake, since number: Int) {
        guard
            !unfetchedHints.add(
                UnfetchedHints.Entry(record: record, object: object, since: number, wake: wake.number), list)
        else { return }
        run.reportViolation("\(device.name) wake \(wake.number) ends, but \(record) is neither stored nor kept")
    }

    /// Called when everything is idle: each open hint must be in the list or be covered by a regular sync that is due.
    func checkUnfetchedHints() {
        for entry in unfetchedHints.lost(list) {
            run.reportViolation(
                "\(device.name): the hint of wake \(entry.wake) for \(entry.record) was lost; no request began after it"
            )
        }
    }
}
