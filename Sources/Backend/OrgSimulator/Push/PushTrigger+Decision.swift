import PushDispatch

extension PushTrigger {
    /// What a trigger decides about one changed record.
    package enum Decision: Hashable, Sendable {
        /// The tokens of the watched fields that differ, in order.
        case fires(tokens: [String])
        case noWatchedField
        /// These watched fields differ in case only, which a comparison in Apex ignores.
        case caseOnly([String])
        case held(Gate)
    }

    /// Whose changes do not fire a trigger.
    package enum Gate: Hashable, Sendable, CustomStringConvertible {
        case source(ChangeSource.Kind)
        case user
        case kind(OrgUser.Kind)
        case otherModifier

        package var description: String {
            switch self {
            case .source(let source): "changes of this source are ignored: \(source.rawValue)"
            case .user: "the user is ignored"
            case .kind(let kind): "users of this kind are ignored: \(kind.rawValue)"
            case .otherModifier: "the last modifier is another user"
            }
        }
    }

    /// - Parameters:
    ///   - user: The user that the change runs as.
    ///   - kind: Nil for a user whom the org does not know.
    func decision(
        from old: OrgRecord, to new: OrgRecord, by user: RecordID, _ kind: OrgUser.Kind?, _ source: ChangeSource.Kind
    ) -> Decision {
        let differing = watched.filter { old.fields[$0.field] ?? .null != new.fields[$0.field] ?? .null }
        let fields = comparesCase ? differing : differing.filter { !isCaseOnly($0, old, new) }
        guard !fields.isEmpty else {
            return differing.isEmpty ? .noWatchedField : .caseOnly(differing.map(\.field))
        }
        if let gate = gate(new, user, kind, source) { return .held(gate) }
        return .fires(tokens: fields.map(\.token))
    }

    private func isCaseOnly(_ watched: WatchedField, _ old: OrgRecord, _ new: OrgRecord) -> Bool {
        guard let old = old.fields[watched.field]?.string, let new = new.fields[watched.field]?.string else {
            return false
        }
        return old.lowercased() == new.lowercased()
    }

    func gate(
        _ record: OrgRecord, _ user: RecordID, _ kind: OrgUser.Kind?, _ source: ChangeSource.Kind
    ) -> Gate? {
        if !sources.contains(source) { return .source(source) }
        if ignoredUsers.contains(user) { return .user }
        if let kind, ignoredKinds.contains(kind) { return .kind(kind) }
        return onlyOwnChanges && record.lastModifiedBy != user ? .otherModifier : nil
    }

    func targetUser(of record: OrgRecord) -> RecordID {
        switch target {
        case .modifier: record.lastModifiedBy
        case .owner: record.owner
        case .user(let user): user
        }
    }
}
