package import PushDispatch

/// The rule by which a change of a record becomes a push (docs/reference/selective-sync.md 2). Runs after an update, not after a
/// creation.
package struct PushTrigger: Hashable, Sendable {
    /// What the push looks like.
    package enum Form: Hashable, Sendable {
        /// A push for each record, its id as a string.
        case each(idKey: String)
        /// One push for all records of a target user, as far as they fit; more pushes beyond that.
        case grouped(idsKey: String)
    }

    /// Who is told.
    package enum Target: Hashable, Sendable {
        /// The user who made the change: for that user's other devices.
        case modifier
        case owner
        /// The reference trigger's one hard-wired user.
        case user(RecordID)
    }

    /// What grouped sending does with more records than fit one push (docs/reference/selective-sync.md 1.3).
    package enum Overflow: String, Hashable, Sendable, CaseIterable {
        /// As many pushes as it takes. While a device cannot take them, each replaces the one before.
        case split
        /// One push that names no record and has the device run a regular sync.
        case regularSync = "regular-sync"
    }

    package struct WatchedField: Hashable, Sendable {
        package let field: String
        /// The word for it in `changedFields`.
        package let token: String

        package init(_ field: String, token: String) {
            self.field = field
            self.token = token
        }
    }

    /// The payload's `type`.
    package var type: String
    package var form: Form
    package var overflow = Overflow.split
    /// In the order of the tokens.
    package var watched: [WatchedField]
    package var target = Target.modifier
    /// The reference trigger sends the name of the account too, which travels in clear through a third party.
    package var includesName = false
    /// Apex compares without regard to case, so a change of case alone does not fire.
    package var comparesCase = false
    /// Users whose changes nobody is told of.
    package var ignoredUsers: Set<RecordID> = []
    /// Kinds of users whose changes nobody is told of.
    package var ignoredKinds: Set<OrgUser.Kind> = [.integration, .syncQueue]
    /// Fires only where the last modifier is the user that the change runs as, so not for what a flow changed.
    package var onlyOwnChanges = true
    /// Leaves out the devices of the session that the change came from; the reference trigger sends them their own echo.
    package var excludesSource = false
    /// Makes calls beyond the limit of the transaction in later ones. Without it they fail the save, and with `each` a
    /// bulk update does: the reference trigger's worst flaw.
    package var defersCalls: Bool
    /// The API name of the connected app that it sends through.
    package var application = OutgoingPush.usualApplication

    package init(_ type: String, form: Form, watched: [WatchedField]) {
        self.type = type
        self.form = form
        self.watched = watched
        // Who collects ids before sending also counts calls.
        if case .grouped = form { defersCalls = true } else { defersCalls = false }
    }

    package static let account = PushTrigger(
        "ACCOUNT_UPDATE", form: .each(idKey: "accountId"),
        watched: [
            WatchedField("Name", token: "Name"), WatchedField("OwnerId", token: "Owner"),
            WatchedField("Type", token: "Type"),
        ])
    package static let interaction = PushTrigger(
        "INTERACTION", form: .grouped(idsKey: "recordIds"),
        watched: [
            WatchedField("Name", token: "Name"), WatchedField("OwnerId", token: "Owner"),
            WatchedField("Status", token: "Status"), WatchedField("Subject", token: "Subject"),
            WatchedField("AccountId", token: "Account"),
        ])
}

extension PushTrigger {
    /// The tokens of the watched fields that differ, in order; none means that nothing is sent.
    func tokens(from old: OrgRecord, to new: OrgRecord) -> [String] {
        watched.filter { differs(old.fields[$0.field], new.fields[$0.field]) }.map(\.token)
    }

    private func differs(_ old: JSONValue?, _ new: JSONValue?) -> Bool {
        if !comparesCase, case .string(let old)? = old, case .string(let new)? = new {
            return old.lowercased() != new.lowercased()
        }
        return (old ?? .null) != (new ?? .null)
    }

    func targetUser(of record: OrgRecord) -> RecordID {
        switch target {
        case .modifier: record.lastModifiedBy
        case .owner: record.owner
        case .user(let user): user
        }
    }
}
