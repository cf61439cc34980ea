import OrgSimulator
import PushDispatch
import SelectiveSync

/// The org with the parts that its simulator's core leaves to a shell: deletions, visibility, sessions and pages.
struct SimulatedOrg {
    struct Deletion {
        let object: String
        let record: RecordID
        let at: ServerDate
    }

    private struct Locator {
        let records: [RecordID]
        var isLost = false
    }

    let users: [RecordID]
    private(set) var org = Org()
    private(set) var deletions: [Deletion] = []
    private var deleted: Set<RecordID> = []
    private var hidden: [RecordID: Set<RecordID>] = [:]
    private var sessions: [String: RecordID] = [:]
    private var lastSession = 0
    private var locators: [Locator] = []
    /// Deletions before this are forgotten.
    private(set) var deletionsSince: ServerDate?

    init(users: [RecordID]) { self.users = users }
}

// MARK: - Changes

extension SimulatedOrg {
    mutating func create(
        _ object: String, _ fields: [String: JSONValue], by user: RecordID, hiddenFrom others: [RecordID] = [],
        at now: ServerDate
    ) -> RecordID? {
        guard let id = try? org.create(object, fields, by: user, at: now) else { return nil }
        for other in others { hidden[other, default: []].insert(id) }
        return id
    }

    /// - Returns: Nil if a record does not exist or the user may not see it.
    mutating func update(
        _ changes: [Org.Change], by user: RecordID, from source: ChangeSource = .browser, at now: ServerDate
    ) -> [OutgoingPush]? {
        guard changes.allSatisfy({ shows($0.record, to: user) }) else { return nil }
        return try? org.update(changes, by: user, from: source, at: now)
    }

    /// Makes one change of an upload and returns the pushes of the triggers.
    mutating func write(
        _ write: RecordWrite, of object: String, by user: RecordID, at now: ServerDate
    ) -> (reply: UploadReply, pushes: [OutgoingPush]) {
        switch write {
        case .create(let fields):
            guard let id = create(object, fields, by: user, at: now) else { return (.refused("INVALID_FIELD"), []) }
            return (.done(id: id, nil), [])
        case .update(let id, let fields, let date):
            if let refusal = refusal(id, unmodifiedSince: date, user) { return (refusal, []) }
            guard let pushes = update([Org.Change(id, fields)], by: user, at: now) else {
                return (.refused("INVALID_FIELD"), [])
            }
            return (.done(id: nil, nil), pushes)
        case .delete(let id, let date):
            if let refusal = refusal(id, unmodifiedSince: date, user) { return (refusal, []) }
            delete(id, at: now)
            return (.done(id: nil, nil), [])
        }
    }

    /// The condition is compared to the second, like the header that carries it.
    private func refusal(_ id: RecordID, unmodifiedSince date: ServerDate?, _ user: RecordID) -> UploadReply? {
        guard shows(id, to: user), let row = org[id] else { return .notFound }
        guard let date else { return nil }
        return row.systemModstamp.millisecondsSince1970 / 1_000 > date.millisecondsSince1970 / 1_000 ? .changed : nil
    }

    mutating func delete(_ record: RecordID, at now: ServerDate) {
        guard let row = org[record], deleted.insert(record).inserted else { return }
        deletions.append(Deletion(object: row.object, record: record, at: max(now, row.systemModstamp)))
    }

    /// Hides the record from `user`. It is never shown again: that would not change the record, so a sync by dates
    /// could not find it.
    mutating func hide(_ record: RecordID, from user: RecordID) { hidden[user, default: []].insert(record) }

    mutating func forgetDeletions(before date: ServerDate) {
        deletionsSince = date
        deletions.removeAll { $0.at < date }
    }

    mutating func losePages() { for index in locators.indices { locators[index].isLost = true } }
}

// MARK: - Answers

extension SimulatedOrg {
    func shows(_ record: RecordID, to user: RecordID) -> Bool {
        org[record] != nil && !deleted.contains(record) && hidden[user]?.contains(record) != true
    }

    func rows(of object: String, for user: RecordID) -> [OrgRecord] {
        org.records(of: object).filter { shows($0.id, to: user) }
    }

    /// The record as the interface returns it; nil if it returns none.
    func record(_ id: RecordID, fields: [String], for user: RecordID) -> ServerRecord? {
        guard shows(id, to: user), let row = org[id] else { return nil }
        return ServerRecord(
            id: id, fields: Dictionary(fields.map { ($0, row.value(of: $0)) }, uniquingKeysWith: { first, _ in first }))
    }

    mutating func openSession(for user: RecordID) -> String {
        lastSession += 1
        sessions["s\(lastSession)"] = user
        return "s\(lastSession)"
    }

    mutating func endSession(_ token: String) { sessions[token] = nil }

    func user(of token: String?) -> RecordID? { token.flatMap { sessions[$0] } }

    func fetch(_ request: FetchRequest, for user: RecordID) -> [FetchedRecord] {
        request.records.map { id in
            guard org[id]?.object == request.object, let record = record(id, fields: request.fields, for: user) else {
                return .missing(id)
            }
            return .record(record)
        }
    }

    /// - Parameters:
    ///   - size: The number of records on a page.
    mutating func query(
        _ request: QueryRequest, for user: RecordID, size: Int, at now: ServerDate
    ) throws(FetchError) -> QueryPage {
        var (number, offset) = (locators.count, 0)
        if let next = request.next {
            let parts = next.split(separator: "-").compactMap { Int($0) }
            guard parts.count == 2, locators.indices.contains(parts[0]), !locators[parts[0]].isLost else {
                throw FetchError(
                    FetchError.Code("INVALID_QUERY_LOCATOR"), status: 400, advice: .stop, "the page is gone")
            }
            (number, offset) = (parts[0], parts[1])
        } else {
            let rows = rows(of: request.object, for: user).map { row in
                (row.id, request.orderField == "SystemModstamp" ? row.systemModstamp : row.lastModified)
            }
            let found = rows.filter { row in request.after.map { row.1 > $0 } ?? true }
            locators.append(
                Locator(
                    records: found.sorted { ($0.1, $0.0.description) < ($1.1, $1.0.description) }.map(\.0)))
        }
        let all = locators[number].records
        let end = min(all.count, offset + size)
        var records: [ServerRecord] = []
        for id in all[min(offset, end)..<end] {
            guard let record = record(id, fields: request.fields, for: user) else { continue }
            records.append(record)
        }
        return QueryPage(records: records, next: end < all.count ? "\(number)-\(end)" : nil, serverDate: now)
    }

    func deletions(_ request: DeletionsRequest, at now: ServerDate) -> Deletions {
        let found = deletions.filter {
            $0.object == request.object && $0.at >= request.start && $0.at < request.end
        }
        return Deletions(
            deleted: found.map { Deletions.Deletion($0.record, at: $0.at) }, earliestAvailable: deletionsSince,
            covered: min(request.end, now))
    }
}
