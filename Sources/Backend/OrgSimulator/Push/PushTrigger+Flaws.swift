extension PushTrigger {
    /// What is wrong with a trigger in the way of the reference trigger (docs/reference/selective-sync.md 2).
    package enum Flaw: String, Hashable, Sendable, CaseIterable {
        /// A call for each record, whatever the limit of the transaction: a bulk update fails the save.
        case sendPerRecord = "send-per-record"
        /// One user is told, and nobody else.
        case hardWiredUser = "hard-wired-user"
        /// The device that made a change is told of it.
        case ownEcho = "own-echo"
        /// The name of a customer travels in clear.
        case nameInPayload = "name-in-payload"
    }

    /// The flaws it has as it stands.
    package var flaws: Set<Flaw> {
        var flaws: Set<Flaw> = []
        if case .each = form, !defersCalls { flaws.insert(.sendPerRecord) }
        if case .user = target { flaws.insert(.hardWiredUser) }
        if !excludesSource { flaws.insert(.ownEcho) }
        if includesName { flaws.insert(.nameInPayload) }
        return flaws
    }

    /// Has just these flaws from now on; the hard-wired user is named by `target` alone.
    package mutating func setFlaws(_ flaws: Set<Flaw>) {
        defersCalls = !flaws.contains(.sendPerRecord)
        excludesSource = !flaws.contains(.ownEcho)
        includesName = flaws.contains(.nameInPayload)
    }
}
