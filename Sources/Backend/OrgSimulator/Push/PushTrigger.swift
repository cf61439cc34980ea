package import PushDispatch

/// The rule by which the change of a record becomes a push (docs/reference/selective-sync.md 2). It runs after updates,
/// not after creations.
package struct PushTrigger: Hashable, Sendable {
    /// The form of the push.
    package enum Form: Hashable, Sendable {
        /// One push for each record, with the id as a string.
        case each(idKey: String)
        /// One push for all records of a target user; more pushes if the ids do not fit.
        case grouped(idsKey: String)
    }

    /// The user who receives the push.
    package enum Target: Hashable, Sendable {
        /// The user who made the change, for that user's other devices.
        case modifier
        case owner
        /// One fixed user, as in the reference trigger.
        case user(RecordID)
    }

    /// What grouped sending does if more records changed than fit one push (docs/reference/selective-sync.md 1.3).
    package enum Overflow: String, Hashable, Sendable, CaseIterable {
        /// Sends as many pushes as needed. While a device is offline, each replaces the previous one.
        case split
        /// Sends one push without records, after which the device runs a regular sync.
        case regularSync = "regular-sync"
    }

    package struct WatchedField: Hashable, Sendable {
        package let field: String
        /// The field's name in `changedFields`.
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
    /// The watched fields in the order of their tokens.
    package var watched: [WatchedField]
    package var target = Target.modifier
    /// Whether the payload contains the account's name. The reference trigger does this, so a third party sees the name
    /// in clear.
    package var includesName = false
    /// Whether a change of case alone fires. Apex ignores case in comparisons.
    package var comparesCase = false
    /// The sources whose changes fire the trigger.
    package var sources = ChangeSource.Kind.ofPeople
    /// Users whose changes do not fire the trigger.
    package var ignoredUsers: Set<RecordID> = []
    /// Kinds of users whose changes do not fire the trigger.
    package var ignoredKinds = PushTrigger.systems
    /// Whether the trigger fires only if the last modifier is the user of the change, and so not for changes by flows.
    package var onlyOwnChanges = true
    /// Whether the devices of the session that made the change are left out. The reference trigger does not leave them
    /// out.
    package var excludesSource = false
    /// Whether calls above the limit of the transaction are made in later transactions. Otherwise they fail the save.
    /// With `each`, a bulk update then fails, which is the worst flaw of the reference trigger.
    package var defersCalls: Bool
    /// The API name of the connected app that sends the pushes.
    package var application = OutgoingPush.defaultApplication

    static let systems: Set<OrgUser.Kind> = [.integration, .syncQueue]

    package init(_ type: String, form: Form, watched: [WatchedField]) {
        self.type = type
        self.form = form
        self.watched = watched
        // A trigger that groups ids is also assumed to count its calls.
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
