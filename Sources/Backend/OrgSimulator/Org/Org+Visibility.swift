package import PushDispatch
package import SelectiveSync

extension Org {
    package func isVisible(_ record: OrgRecord, to user: RecordID) -> Bool {
        guard hiddenRecords[user]?.contains(record.id) != true else { return false }
        return objects[record.object]?.sharing == .everyone || record.owner == user
    }

    /// The records that a user can see, in the order of creation.
    package func records(of object: String, visibleTo user: RecordID) -> [OrgRecord] {
        records(of: object).filter { isVisible($0, to: user) }
    }

    /// Hides a record from a user, or removes that restriction; the object's sharing still applies.
    package mutating func setVisible(_ isVisible: Bool, _ record: RecordID, to user: RecordID) {
        if isVisible {
            hiddenRecords[user]?.remove(record)
        } else {
            hiddenRecords[user, default: []].insert(record)
        }
    }

    /// Whether a user may read a field of an object.
    func isReadable(_ field: String, of object: String, by user: RecordID) -> Bool {
        hiddenFields.isEmpty
            || !hiddenFields.contains(HiddenField(object, field))
                && !hiddenFields.contains(HiddenField(object, field, from: user))
    }

    // MARK: Deletions

    /// The earliest deletion that is remembered at `now`.
    package func earliestDeletion(at now: ServerDate) -> ServerDate {
        let remembered = now.adding(milliseconds: -settings.deletionLog)
        return purgedBefore.map { max($0, remembered) } ?? remembered
    }

    /// Forgets deletions before `date`, as the platform may do at any time.
    package mutating func purgeDeletions(before date: ServerDate) {
        purgedBefore = purgedBefore.map { max($0, date) } ?? date
        tombstones = tombstones.filter { ($0.value.deleted ?? date) >= date }
    }

    /// Bounds the memory for deletions: forgets expired ones, and all if there are too many.
    mutating func purge(at now: ServerDate) {
        guard tombstones.count >= settings.maximumRecords || usage.purgedHour != now.hour else { return }
        usage.purgedHour = now.hour
        let earliest = earliestDeletion(at: now)
        tombstones = tombstones.filter { ($0.value.deleted ?? now) >= earliest }
        if tombstones.count >= settings.maximumRecords { purgeDeletions(before: now.next) }
    }

    /// A deleted record that is still remembered.
    func tombstone(_ id: RecordID, at now: ServerDate) -> OrgRecord? {
        guard let record = tombstones[id], let date = record.deleted, date >= earliestDeletion(at: now) else {
            return nil
        }
        return record
    }
}
