extension PushTrigger {
    /// The known flaws of push triggers (docs/reference/selective-sync.md 2).
    package enum Flaw: String, Hashable, Sendable, CaseIterable {
        /// Makes one call for each record and ignores the limit of the transaction, so a bulk update fails the save.
        case sendPerRecord = "send-per-record"
        /// Sends to one fixed user only.
        case hardWiredUser = "hard-wired-user"
        /// Sends a change to the device that made it.
        case ownEcho = "own-echo"
        /// Sends the name of a customer unencrypted.
        case nameInPayload = "name-in-payload"
        /// Misses a change of case, because Apex ignores case in comparisons.
        case ignoresCase = "ignores-case"
        /// Fires for changes by agents, integrations, bulk loads and flows as well, because it has no gate.
        case everySource = "every-source"
    }

    /// The flaws that the trigger has with its current settings.
    package var flaws: Set<Flaw> {
        var flaws: Set<Flaw> = []
        if case .each = form {
            if !defersCalls { flaws.insert(.sendPerRecord) }
            if includesName { flaws.insert(.nameInPayload) }
        }
        if case .user = target { flaws.insert(.hardWiredUser) }
        if !excludesSource { flaws.insert(.ownEcho) }
        if !comparesCase { flaws.insert(.ignoresCase) }
        if hasNoGate { flaws.insert(.everySource) }
        return flaws
    }

    /// Sets the flaws exactly to these, except the hard-wired user, which only `target` sets.
    package mutating func setFlaws(_ flaws: Set<Flaw>) {
        if case .each = form { defersCalls = !flaws.contains(.sendPerRecord) }
        excludesSource = !flaws.contains(.ownEcho)
        includesName = flaws.contains(.nameInPayload)
        comparesCase = !flaws.contains(.ignoresCase)
        if flaws.contains(.everySource) {
            sources = Set(ChangeSource.Kind.allCases)
            ignoredUsers = []
            ignoredKinds = []
            onlyOwnChanges = false
        } else if hasNoGate {
            sources = ChangeSource.Kind.ofPeople
            ignoredKinds = PushTrigger.systems
            onlyOwnChanges = true
        }
    }

    var hasNoGate: Bool {
        sources.count == ChangeSource.Kind.allCases.count && ignoredUsers.isEmpty && ignoredKinds.isEmpty
            && !onlyOwnChanges
    }
}

extension PushTrigger {
    /// The triggers that a document can name. Type, form and watched fields are those of the object.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The published rule as it stands.
        case reference
        /// A rule with gates and within the limits of a transaction that still sends to one fixed user.
        case hardWired = "hard-wired"
        /// A rule with gates and within the limits that sends to the user who made the change.
        case modifier

        package var flaws: Set<Flaw> {
            switch self {
            case .reference: Set(Flaw.allCases)
            case .hardWired: [.hardWiredUser, .ownEcho, .ignoresCase]
            case .modifier: [.ownEcho, .ignoresCase]
            }
        }
    }
}
