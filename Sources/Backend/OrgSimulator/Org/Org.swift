package import PushDispatch
package import SelectiveSync

/// The simulated CRM: records, users, apps and registered devices, and the pushes that changes cause. It has no clock
/// and does no I/O.
package struct Org: Sendable {
    package let objects: [String: OrgObject]
    package var settings = OrgSettings()
    /// Users with a name or a kind. An id that is not here counts as a person.
    package var users: [RecordID: OrgUser] = [:]
    /// By API name.
    package var apps: [String: OrgApp] = [:]
    package var access = OrgAccess()
    package var faults = OrgFaults()
    /// Fields that are hidden from one user or from all users.
    package var hiddenFields: Set<HiddenField> = []
    /// By API name.
    package var noticeTypes: [String: OrgNoticeType] = [:]
    package internal(set) var log = OrgLog()
    package internal(set) var changes = OrgChanges()
    package internal(set) var devices: [RecordID: OrgDevice] = [:]
    /// For each user, records that are hidden although the object's sharing would show them.
    var hiddenRecords: [RecordID: Set<RecordID>] = [:]
    /// For each user, the oldest first.
    var notices: [RecordID: [OrgNotice]] = [:]
    var lastNotice: UInt64 = 0
    var cursors = QueryCursors()
    var usage = OrgUsage()
    var records: [RecordID: OrgRecord] = [:]
    /// Deleted records that are not purged yet.
    var tombstones: [RecordID: OrgRecord] = [:]
    /// Deletions before this date are forgotten.
    var purgedBefore: ServerDate?
    private var lastNumber = 0

    /// - Parameter maximumRecords: `create` throws above this number.
    package init(objects: [OrgObject] = [.account, .interaction], maximumRecords: Int = 200_000) {
        self.objects = Dictionary(objects.map { ($0.name, $0) }, uniquingKeysWith: { _, last in last })
        settings.maximumRecords = maximumRecords
    }

    package struct Change: Hashable, Sendable {
        package let record: RecordID
        package let fields: [String: JSONValue]

        package init(_ record: RecordID, _ fields: [String: JSONValue]) {
            self.record = record
            self.fields = fields
        }
    }

    package subscript(id: RecordID) -> OrgRecord? { records[id] }

    /// The records of an object in the order of creation.
    package func records(of object: String) -> [OrgRecord] {
        records.values.filter { $0.object == object }.inOrderOfIDs
    }

    /// The start of a transaction that is committed now: its stamps are of that moment (docs/org.md, "Late commits").
    ///
    /// - Parameter milliseconds: Its duration; nil for that of the settings.
    package func transactionStart(_ milliseconds: Int64? = nil, at now: ServerDate) -> ServerDate {
        now.adding(milliseconds: -(milliseconds ?? settings.transactionTime))
    }

    /// Adds a record, owned by the user unless the fields name another owner. It fires no trigger.
    ///
    /// - Parameters:
    ///   - id: Nil makes a new id; a document gives its own.
    ///   - now: The date of its stamps. For a record that is committed late it is in the past.
    package mutating func create(
        _ object: String, _ fields: [String: JSONValue], id given: RecordID? = nil, by user: RecordID,
        at now: ServerDate
    ) throws(OrgError) -> RecordID {
        guard let shape = objects[object] else { throw .noResource }
        guard records.count < settings.maximumRecords else {
            throw .storageLimit("\(settings.maximumRecords) records")
        }
        let owner = try self.owner(in: fields, of: shape) ?? user
        guard given.map({ records[$0] == nil && tombstones[$0] == nil }) ?? true else {
            throw OrgError(status: 400, code: "DUPLICATE_VALUE", message: "There is a record with this id already.")
        }
        guard let id = given ?? freeID(shape.keyPrefix) else {
            throw OrgError(
                status: 500, code: "UNKNOWN_EXCEPTION",
                message: "The key prefix of \(object) is not three letters or digits.")
        }
        var stored = fields.filter { $0.value != .null }
        stored["OwnerId"] = .string(owner.description)
        records[id] = OrgRecord(
            id: id, object: object, owner: owner, lastModifiedBy: user, lastModified: now, systemModstamp: now,
            created: now, createdBy: user, deleted: nil, fields: stored)
        return id
    }

    /// Changes some fields of a record and leaves the others unchanged.
    ///
    /// - Returns: The pushes of the object's trigger; empty if no watched field changed.
    package mutating func update(
        _ record: RecordID, _ fields: [String: JSONValue], by user: RecordID, from source: ChangeSource = .browser,
        at now: ServerDate, stamped start: ServerDate? = nil
    ) throws(OrgError) -> [OutgoingPush] {
        try update([Change(record, fields)], by: user, from: source, at: now, stamped: start)
    }

    /// Makes several changes in one save: all of them, or none if one is refused.
    ///
    /// - Parameter start: The date of the stamps if the transaction is committed late; nil for now.
    /// - Throws: Also if a trigger makes more push calls than a transaction allows; then nothing is saved.
    package mutating func update(
        _ changes: [Change], by user: RecordID, from source: ChangeSource = .browser, at now: ServerDate,
        stamped start: ServerDate? = nil
    ) throws(OrgError) -> [OutgoingPush] {
        let date = min(start ?? now, now)
        var changed: [RecordID: OrgRecord] = [:]
        var order: [RecordID] = []
        for change in changes {
            guard let old = changed[change.record] ?? records[change.record], let shape = objects[old.object] else {
                throw .noRecord("record")
            }
            var new = old
            if let owner = try self.owner(in: change.fields, of: shape) { new.owner = owner }
            for (field, value) in change.fields { new.fields[field] = value == .null ? nil : value }
            new.fields["OwnerId"] = .string(new.owner.description)
            // Stamps always increase, even if the clock was set back or two saves share a millisecond. Otherwise a
            // device would ignore the newer copy.
            new.systemModstamp = max(date, old.systemModstamp.next)
            if source != .automaticProcess {
                new.lastModified = max(date, old.lastModified.next)
                new.lastModifiedBy = user
            }
            if changed.updateValue(new, forKey: change.record) == nil { order.append(change.record) }
        }
        let pushes = try pushes(for: order, changed, by: user, source, now)
        records.merge(changed) { _, new in new }
        return pushes
    }

    /// Deletes a record and remembers the date. It fires no trigger.
    ///
    /// - Parameter start: The date of the deletion if the transaction is committed late; nil for now.
    package mutating func delete(
        _ record: RecordID, by user: RecordID, at now: ServerDate, stamped start: ServerDate? = nil
    ) throws(OrgError) {
        guard let old = records.removeValue(forKey: record) else {
            throw tombstones[record] == nil ? .noRecord("record") : .deleted("record")
        }
        purge(at: now)
        tombstones[record] = old.deleted(by: user, at: min(start ?? now, now))
    }

    /// Forgets all queries with pages that were not fetched, as the platform may do at any time.
    package mutating func closeQueries() { cursors.closeAll() }

    /// The prefix, `xx` for an invented instance, and a number in base 62.
    mutating func nextID(_ prefix: String) -> RecordID? {
        lastNumber += 1
        let digits = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
        var rest = lastNumber
        var text = ""
        for _ in 0..<10 {
            text = String(digits[rest % 62]) + text
            rest /= 62
        }
        return RecordID(prefix + "xx" + text)
    }

    /// The next id that no record of the document uses.
    private mutating func freeID(_ prefix: String) -> RecordID? {
        while let id = nextID(prefix) {
            if records[id] == nil, tombstones[id] == nil { return id }
        }
        return nil
    }
}
