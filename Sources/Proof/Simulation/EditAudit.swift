import PushDispatch
import SelectiveSync

/// Checks field by field that no edit of a device's user is lost, doubled or widened.
///
/// Each edit gives its field a new text, so a value shows which edit it comes from.
///
/// @unchecked: only the thread of the simulation uses it.
final class EditAudit: @unchecked Sendable {
    /// What the user does in a change of the store.
    enum Action {
        case create, edit, delete, discard
        /// The conflict as it was shown; nil for a decision about any.
        case resolve(ConflictResolution, RecordConflict?)

        /// Nil where an upload changes the store.
        @TaskLocal static var current: Action?
    }

    /// The user of the screen that changes the store.
    @TaskLocal static var screenUser: RecordID?

    fileprivate struct Entry {
        let object: String
        /// The values that neither the org has accepted nor the user has given up.
        var wanted: [String: JSONValue] = [:]
        /// All values of the user.
        var mine: [String: Set<JSONValue>] = [:]
        /// Values that the user has seen before an edit, or has decided against.
        var seen: [String: Set<JSONValue>] = [:]
        var wantsDeletion = false
        /// How often the record may be created.
        var creations = 0
        /// Both copies of a new record were edited: the one with the id, which a sync had brought, may be uploaded when the other
        /// is joined with it.
        var hadTwoCopies = false

        mutating func want(_ field: String, _ value: JSONValue) {
            wanted[field] = value
            mine[field, default: []].insert(value)
        }

        mutating func see(_ fields: [String: JSONValue]?) {
            for (field, value) in fields ?? [:] { seen[field, default: []].insert(value) }
        }

        func knows(_ field: String, _ value: JSONValue) -> Bool {
            mine[field]?.contains(value) == true || seen[field]?.contains(value) == true
        }
    }

    static let fields = ["Name", "Type", "Status", "AccountId"]

    private let name: String
    private unowned let run: Run
    private var entries: [RecordKey: Entry] = [:]
    /// The values that the org has accepted from this device.
    private var accepted: Set<JSONValue> = []
    /// The record that the org made last from a new one.
    private var made: [RecordKey: RecordID] = [:]
    /// The records as an upload read them before sending.
    private var read: [RecordID: ServerRecord] = [:]

    init(_ name: String, _ run: Run) {
        self.name = name
        self.run = run
    }

    var isEmpty: Bool { entries.values.allSatisfy { $0.wanted.isEmpty && !$0.wantsDeletion } }

    func forgetAll() { entries = [:] }

    // MARK: Changes of the store

    func changed(_ object: String, _ keys: [RecordKey], _ before: StoreState, _ after: StoreState) {
        if let user = EditAudit.screenUser?.description, before.owner != user {
            run.reportViolation("\(name) stores an edit of a former user with the records of the present one")
        }
        for key in keys {
            let (old, new) = (before.record(key), after.record(key))
            if let action = Action.current {
                apply(action, new?.key ?? old?.key ?? key, object, old, new)
            } else if let old, new == nil, old.changes.contains([.created, .deleted]) {
                // The server does not have it; without external ids that is not certain.
                entries[key] = nil
            } else if let old {
                let isSame = EditAudit.fields.allSatisfy { old.fields[$0] == new?.fields[$0] }
                if !isSame { run.reportViolation("\(name): the begin of an upload changed \(key)") }
            }
        }
        check(object, after)
    }

    private func apply(_ action: Action, _ key: RecordKey, _ object: String, _ old: LocalRecord?, _ new: LocalRecord?) {
        var entry = entries[key] ?? Entry(object: object)
        entry.see(old?.fields)
        entry.see(old?.base)
        switch action {
        case .create, .edit:
            guard let new else { return }
            if old == nil { entry.creations = 1 }
            for field in EditAudit.fields {
                guard let value = new.fields[field], value != old?.fields[field] else { continue }
                entry.want(field, value)
            }
        case .delete:
            entry.wantsDeletion = new != nil
            entry.wanted = [:]
        case .discard:
            entry.wantsDeletion = new?.changes.contains(.deleted) == true
            entry.wanted = [:]
            if let new { checkDiscarded(key, new, entry) }
        case .resolve(let resolution, let shown):
            guard let conflict = shown ?? old?.conflict else { return }
            entry.see(conflict.theirs)
            if conflict.isDeletedHere, resolution != .mine { entry.wantsDeletion = false }
            if new?.changes.contains(.created) == true { entry.creations += 1 }
            for (field, value) in entry.wanted where new?.fields[field] != value { entry.wanted[field] = nil }
            if case .fields(let values) = resolution {
                for (field, value) in values where new?.fields[field] == value { entry.want(field, value) }
            }
            // A record that is created again has all its fields.
            if new?.changes.contains(.created) == true {
                for (field, value) in new?.fields ?? [:] { entry.mine[field, default: []].insert(value) }
            }
        }
        entries[key] = entry
    }

    /// A record whose edits are discarded has a version of the server, which no value of the user is part of that the org does
    /// not know.
    private func checkDiscarded(_ key: RecordKey, _ record: LocalRecord, _ entry: Entry) {
        guard !record.isDirty else { return }
        for (field, values) in entry.mine {
            guard let value = record.fields[field], values.contains(value), !accepted.contains(value) else { continue }
            // A reference can have the user's value in the org by somebody else's change.
            if field == "AccountId" { continue }
            run.reportViolation("\(name) still has the discarded edit of \(field) of \(key)")
        }
    }

    func uploaded(_ sent: LocalRecord, _ outcome: UploadOutcome, _ object: String, _ after: StoreState) {
        switch outcome {
        case .clean(let id, _, _):
            if let id, let real = made[sent.key], real != id {
                run.reportViolation("\(name) takes \(id) for \(sent.key), from which \(real) was made")
            }
            if let id, .server(id) != sent.key {
                if let made = entries.removeValue(forKey: sent.key) {
                    // The user may have edited the copy that a sync brought before the answer.
                    entries[.server(id)] = entries[.server(id)]?.joined(with: made) ?? made
                }
                for key in entries.keys { entries[key]?.follow(sent.key, to: id) }
            }
            for (field, value) in sent.sent ?? [:] where !accepted.contains(value) && value != .null {
                run.reportViolation("\(name): \(field) of \(sent.key) counts as sent, but the org has not accepted it")
            }
        case .createAnew:
            entries[sent.key]?.creations += 1
            for (field, value) in after.record(sent.key)?.fields ?? [:] {
                entries[sent.key]?.mine[field, default: []].insert(value)
            }
        case .remove: entries[sent.key]?.wantsDeletion = after.record(sent.key) != nil
        case .leave, .error, .unknown, .failPass: break
        }
        check(object, after)
    }

    /// A merge may only give a record with edits the values of the server.
    func merged(_ batch: MergeBatch, _ before: StoreState, _ after: StoreState) {
        for answer in batch.answers {
            let key = RecordKey.server(answer.id)
            agree(key, answer)
            guard let old = before.records[key], old.isDirty else { continue }
            guard let new = after.records[key] else {
                if gaveUp(key, answer) { continue }
                run.reportViolation("\(name): a merge removed \(key), which has edits")
                continue
            }
            followPolicy(key, answer, old, new)
            for field in EditAudit.fields where new.fields[field] != old.fields[field] {
                if case .record(let record) = answer, record.fields[field] == new.fields[field] { continue }
                run.reportViolation("\(name): a merge gave \(field) of \(key) a value of neither side")
            }
        }
        check(batch.object, after)
    }

    /// Somebody else has made the same change, so that nothing is left to send. Only references can have equal values.
    private func agree(_ key: RecordKey, _ answer: FetchedRecord) {
        guard case .record(let record) = answer, let value = record.fields["AccountId"],
            entries[key]?.wanted["AccountId"] == value
        else { return }
        entries[key]?.wanted["AccountId"] = nil
    }

    /// By the policy `theirs` the edits of a record that the server has deleted end with it.
    private func gaveUp(_ key: RecordKey, _ answer: FetchedRecord) -> Bool {
        if case .record = answer { return false }
        guard run.settings.conflicts == .theirs else { return false }
        entries[key]?.wanted = [:]
        entries[key]?.wantsDeletion = false
        return true
    }

    /// What a policy has decided about conflicts in a merge.
    private func followPolicy(_ key: RecordKey, _ answer: FetchedRecord, _ old: LocalRecord, _ new: LocalRecord) {
        switch run.settings.conflicts {
        case .keep: break
        case .mine:
            guard new.changes.contains(.created), !old.changes.contains(.created) else { return }
            entries[key]?.creations += 1
            for (field, value) in new.fields { entries[key]?.mine[field, default: []].insert(value) }
        case .theirs:
            guard case .record(let record) = answer else { return }
            if old.changes.contains(.deleted), !new.changes.contains(.deleted) { entries[key]?.wantsDeletion = false }
            for (field, value) in entries[key]?.wanted ?? [:]
            where new.fields[field] != value && new.fields[field] == record.fields[field] {
                entries[key]?.wanted[field] = nil
            }
        }
    }

    /// Each value that the user wants is in the store, and its record is dirty.
    private func check(_ object: String, _ state: StoreState) {
        for (key, entry) in entries where entry.object == object {
            let record = state.record(key)
            for (field, value) in entry.wanted where record?.isDirty != true || record?.fields[field] != value {
                run.reportViolation("\(name) lost the edit of \(field) of \(key)")
                entries[key]?.wanted[field] = nil
            }
            if entry.wantsDeletion, record?.changes.contains(.deleted) != true {
                run.reportViolation("\(name) lost the deletion of \(key)")
                entries[key]?.wantsDeletion = false
            }
        }
    }

    // MARK: Uploads

    func uploadRead(_ answers: [FetchedRecord]) {
        for case .record(let record) in answers { read[record.id] = record }
    }

    /// The org has accepted a change of this device.
    ///
    /// - Parameters:
    ///   - id: The record of a creation.
    ///   - wasNew: Whether it made a record.
    ///   - overwrites: Whether the upload may overwrite changes by others.
    func accepted(_ write: RecordWrite, id: RecordID?, wasNew: Bool, overwrites: Bool) {
        let isChecked = !overwrites && run.settings.conflicts != .mine
        if case .create = write, run.settings.usesExternalIDs {
            run.reportViolation("\(name) creates a record without its external id")
        }
        switch write {
        case .create(let fields), .upsert(_, _, let fields):
            let key = entries.first { $0.value.mine["Name"]?.contains(fields["Name"] ?? .null) == true }?.key
            guard let key else { return run.reportViolation("\(name) creates a record that its user did not create") }
            made[key] = id
            entries[key]?.creations -= wasNew ? 1 : 0
            if entries[key].map({ $0.creations < 0 }) == true, run.settings.usesExternalIDs {
                run.reportViolation("\(name) created \(key) twice")
            }
            accept(fields, key, isChecked: false)
        case .update(let id, let fields, let date):
            if !overwrites, date == nil { run.reportViolation("\(name) sends a change of \(id) without a condition") }
            accept(fields, .server(id), isChecked: isChecked)
        case .delete(let id):
            if isChecked, let entry = entries[.server(id)], let copy = read[id] {
                for field in EditAudit.fields {
                    guard let value = copy.fields[field], value != .null, !entry.knows(field, value) else { continue }
                    run.reportViolation("\(name) deletes \(id), of which \(field) was changed by somebody else")
                }
            }
            entries[.server(id)]?.wantsDeletion = false
            entries[.server(id)]?.wanted = [:]
        }
    }

    private func accept(_ fields: [String: JSONValue], _ key: RecordKey, isChecked: Bool) {
        for (field, value) in fields {
            accepted.insert(value)
            if entries[key]?.mine[field]?.contains(value) != true, value != .null {
                run.reportViolation("\(name) sends \(field) of \(key), which its user has not changed")
            }
            if value.string?.hasPrefix("local_") == true {
                run.reportViolation("\(name) sends the local key \(value) in \(field) of \(key)")
            }
            if isChecked, let id = key.id, let theirs = read[id]?.fields[field], theirs != .null,
                entries[key]?.knows(field, theirs) != true
            {
                run.reportViolation("\(name) overwrites \(field) of \(key), which was changed by somebody else")
            }
            if entries[key]?.wanted[field] == value { entries[key]?.wanted[field] = nil }
        }
    }

    /// The record that the org has made from a new one of this device, and that is not uploaded as far as the device knows.
    var unanswered: [(key: RecordKey, id: RecordID, object: String)] {
        made.compactMap { key, id in entries[key].map { (key, id, $0.object) } }
            .sorted { $0.key.description < $1.key.description }
    }

    /// Whether a conflict is one: the server's value is not the user's own. Where both copies of a new record were edited and
    /// one is uploaded, the user decides between the own values: the device does not know who has set the uploaded one.
    func check(_ conflict: RecordConflict) {
        guard let entry = entries[conflict.key], !entry.hadTwoCopies else { return }
        for field in conflict.fields {
            guard let theirs = conflict.theirs?[field], entry.mine[field]?.contains(theirs) == true else { continue }
            run.reportViolation("\(name): \(field) of \(conflict.key) is in conflict with the user's own value")
        }
    }
}

extension EditAudit.Entry {
    /// Where both copies have a value that the user wants, the copy with the id counts.
    fileprivate func joined(with made: EditAudit.Entry) -> EditAudit.Entry {
        var joined = self
        joined.wanted.merge(made.wanted) { mine, _ in mine }
        joined.mine.merge(made.mine) { $0.union($1) }
        joined.seen.merge(made.seen) { $0.union($1) }
        joined.wantsDeletion = wantsDeletion || made.wantsDeletion
        joined.creations += made.creations
        joined.hadTwoCopies = true
        return joined
    }

    /// The value of a reference is the id of the record now.
    fileprivate mutating func follow(_ key: RecordKey, to id: RecordID) {
        let (old, new) = (JSONValue.string(key.description), JSONValue.string(id.description))
        for field in wanted.keys where wanted[field] == old { wanted[field] = new }
        for field in mine.keys where mine[field]?.contains(old) == true { mine[field]?.insert(new) }
    }
}
