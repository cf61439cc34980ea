import OrgSimulator
import PushDispatch
import SelectiveSync
import ServiceHost

/// The simulated CRM behind its REST interface. Devices reach it by HTTP requests only; the rest is for people, automation and
/// audits.
struct SimulatedOrg {
    static let address = "https://org.example.com"
    static let clientID = "app"
    static let externalIDField = "External__c"

    let users: [RecordID]
    private(set) var org: Org
    private let rest = OrgREST()
    /// Records by the external id of their creation, also those that were deleted since.
    private var external: [String: RecordID] = [:]
    /// When the last change of a record by a person became visible, which may be later than its stamp.
    private(set) var commits: [RecordID: ServerDate] = [:]

    /// - Parameter change: Changes the org's settings.
    init(users: [RecordID], change: (inout OrgSettings) -> Void = { _ in }) {
        self.users = users
        org = Org(
            objects: [OrgObject.account, .interaction].map { object in
                OrgObject(
                    object.name, keyPrefix: object.keyPrefix,
                    customFields: object.customFields + [SimulatedOrg.externalIDField, DeviceScope.regionField],
                    trigger: object.trigger,
                    externalIDField: SimulatedOrg.externalIDField)
            })
        org.settings.instanceURL = SimulatedOrg.address
        change(&org.settings)
    }
}

// MARK: - Changes

extension SimulatedOrg {
    mutating func create(
        _ object: String, _ fields: [String: JSONValue], by user: RecordID, hiddenFrom others: [RecordID] = [],
        at now: ServerDate, stamped start: ServerDate? = nil
    ) -> RecordID? {
        guard let id = try? org.create(object, fields, by: user, at: start ?? now) else { return nil }
        commits[id] = now
        for other in others { hide(id, from: other) }
        return id
    }

    /// - Returns: Nil if a record does not exist or the user may not see it.
    mutating func update(
        _ changes: [Org.Change], by user: RecordID, from source: ChangeSource = .browser, at now: ServerDate,
        stamped start: ServerDate? = nil
    ) -> [OutgoingPush]? {
        guard changes.allSatisfy({ shows($0.record, to: user) }) else { return nil }
        for change in changes { commits[change.record] = now }
        return try? org.update(changes, by: user, from: source, at: now, stamped: start)
    }

    mutating func delete(_ record: RecordID, at now: ServerDate, stamped start: ServerDate? = nil) {
        guard let row = org[record] else { return }
        try? org.delete(record, by: row.owner, at: now, stamped: start)
    }

    /// Hides the record from `user`. It is never shown again: that would not change the record, so a sync by dates
    /// could not find it.
    mutating func hide(_ record: RecordID, from user: RecordID) { org.setVisible(false, record, to: user) }

    mutating func forgetDeletions(before date: ServerDate) { org.purgeDeletions(before: date) }

    mutating func losePages() { org.closeQueries() }
}

// MARK: - What users see

extension SimulatedOrg {
    func shows(_ record: RecordID, to user: RecordID) -> Bool {
        org[record].map { org.isVisible($0, to: user) } ?? false
    }

    func rows(of object: String, for user: RecordID) -> [OrgRecord] { org.records(of: object, visibleTo: user) }

    /// The record as the interface returns it; nil if it returns none.
    func record(_ id: RecordID, fields: [String], for user: RecordID) -> ServerRecord? {
        guard shows(id, to: user), let row = org[id] else { return nil }
        return ServerRecord(
            id: id, fields: Dictionary(fields.map { ($0, row.value(of: $0)) }, uniquingKeysWith: { first, _ in first }))
    }
}

// MARK: - REST

extension SimulatedOrg {
    mutating func answer(_ request: ServiceRequest, at now: ServerDate) -> OrgREST.Answer {
        rest.answer(request, &org, at: now)
    }

    /// Whether the external id belongs to a record that somebody has deleted. An upsert creates another one then.
    func hasDeleted(external value: String) -> Bool { external[value].map { org[$0] == nil } ?? false }

    mutating func created(_ record: RecordID, external value: String) { external[value] = record }
}

// MARK: - Sessions

extension SimulatedOrg {
    /// Logs a user in like the log-in page.
    mutating func logIn(_ user: RecordID, at now: ServerDate) -> OrgAccess.Tokens {
        rest.logIn(user, clientID: SimulatedOrg.clientID, &org, at: now)
    }

    /// The user of an access token; nil once it has expired.
    func user(of token: String?, at now: ServerDate) -> RecordID? {
        token.flatMap { org.access.session($0, at: now)?.user }
    }

    mutating func endSession(_ token: String) { org.access.expire(token) }

    /// Ends the log-in of a refresh token, with all its sessions.
    mutating func endLogIn(_ refreshToken: String) { org.access.revoke(refreshToken) }

    func renews(_ refreshToken: String) -> Bool { org.access.grant(refreshToken)?.isRevoked == false }
}
