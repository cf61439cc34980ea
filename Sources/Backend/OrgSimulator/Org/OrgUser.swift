package import PushDispatch

/// A user of the org: a person or a system.
package struct OrgUser: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case person
        /// Another system that writes as this user.
        case integration
        /// A queue that imports changes of other systems.
        case syncQueue = "sync-queue"
    }

    /// The first three characters of a user's id, unless a document gives another one.
    static let keyPrefix = "005"

    package let id: RecordID
    /// The user name for log-ins.
    package var name: String
    package var kind: Kind

    package init(_ id: RecordID, name: String, kind: Kind = .person) {
        self.id = id
        self.name = name
        self.kind = kind
    }
}
