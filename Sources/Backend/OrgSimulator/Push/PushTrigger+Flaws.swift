extension PushTrigger {
    /// The known flaws of the reference trigger (docs/reference/selective-sync.md 2).
    package enum Flaw: String, Hashable, Sendable, CaseIterable {
        /// Makes one call for each record and ignores the limit of the transaction, so a bulk update fails the save.
        case sendPerRecord = "send-per-record"
        /// Sends to one fixed user only.
        case hardWiredUser = "hard-wired-user"
        /// Sends a change to the device that made it.
        case ownEcho = "own-echo"
        /// Sends the name of a customer unencrypted.
        case nameInPayload = "name-in-payload"
    }

    /// The flaws that the trigger has with its current settings.
    package var flaws: Set<Flaw> {
        var flaws: Set<Flaw> = []
        if case .each = form, !defersCalls { flaws.insert(.sendPerRecord) }
        if case .user = target { flaws.insert(.hardWiredUser) }
        if !excludesSource { flaws.insert(.ownEcho) }
        if includesName { flaws.insert(.nameInPayload) }
        return flaws
    }

    /// Sets the flaws exactly to these, except the hard-wired user, which only `target` sets.
    package mutating func setFlaws(_ flaws: Set<Flaw>) {
        defersCalls = !flaws.contains(.sendPerRecord)
        excludesSource = !flaws.contains(.ownEcho)
        includesName = flaws.contains(.nameInPayload)
    }
}
