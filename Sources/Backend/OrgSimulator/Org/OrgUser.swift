package import PushDispatch

/// Somebody who works with the org, or something that does.
package struct OrgUser: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        case person
        /// Another system writes as this user.
        case integration
        /// A queue that puts changes of other systems in.
        case syncQueue = "sync-queue"
    }

    package let id: RecordID
    /// What the user logs in with.
    package var name: String
    package var kind: Kind

    package init(_ id: RecordID, name: String, kind: Kind = .person) {
        self.id = id
        self.name = name
        self.kind = kind
    }
}
