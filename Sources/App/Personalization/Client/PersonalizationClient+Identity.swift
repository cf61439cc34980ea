public import EventDelivery

extension PersonalizationClient {
    /// A person has logged in, or more is known about them. This is reported before the next decision is fetched.
    ///
    /// Somebody else's log-in is the log-out of the person before. It is the same person if the user id is the same, or, where
    /// one is missing, the email, or, without two of either, a party identification. What has not changed is not reported again.
    ///
    /// - Throws: `missingID` or `invalidValue` if the person cannot be reported; nothing has changed then. `storage` if a file
    ///   cannot be written, `notKept` if the queue has no space; the log-in holds in this process, and is stored and reported with
    ///   the next call that can.
    public func logIn(_ person: KnownPerson) async throws(PersonalizationError) {
        try await perform { moment async throws(PersonalizationError) in
            let isOther = try self.change(at: moment) { core throws(PersonalizationError) in
                try core.logIn(person, at: moment)
            }
            await self.updateDecisions()
            try await self.settle(forgetting: isOther)
        }
    }

    /// Sets attributes of the profile, also of an anonymous person; nil removes one.
    ///
    /// - Throws: As ``logIn(_:)``.
    public func setProfileAttributes(_ changes: [String: String?]) async throws(PersonalizationError) {
        try await perform { moment async throws(PersonalizationError) in
            try self.change(at: moment) { core throws(PersonalizationError) in
                try core.setAttributes(changes, at: moment)
            }
            try await self.settle()
        }
    }

    /// The person has logged out: their attributes and cached decisions are removed, and a new session starts. What they did before is still sent.
    ///
    /// - Throws: `storage` if a file cannot be written, `notKept` if the queue has no space; the log-out holds in this process,
    ///   and is stored and reported with the next call that can. If the state is not stored and the process ends before, the person is still logged in, here and at the service.
    public func logOut() async throws(PersonalizationError) {
        try await perform { moment async throws(PersonalizationError) in
            try self.change(at: moment) { $0.logOut(at: moment) }
            await self.updateDecisions()
            try await self.settle(forgetting: true)
        }
    }

    /// - Parameter isForgotten: Whether a person has logged out, so that a damaged state of theirs goes as well.
    private func settle(forgetting isForgotten: Bool) async throws(PersonalizationError) {
        var failure: PersonalizationError?
        if isForgotten {
            do throws(PersonalizationError) { try removeSetAside() } catch { failure = error }
        }
        try await settle()
        if let failure { throw failure }
    }

    /// Who uses the app now.
    public func identity() async throws(PersonalizationError) -> IdentitySnapshot {
        try await perform { moment async throws(PersonalizationError) in try self.change(at: moment) { $0.identity } }
    }

    /// The id of the session now.
    public func sessionID() async throws(PersonalizationError) -> String {
        try await perform { moment async throws(PersonalizationError) in
            try self.change(at: moment) { $0.sessionID(at: moment) }
        }
    }

    // Consent.

    /// The person's answer; `pending` until it is set.
    ///
    /// - Parameter purpose: Nil for that of events.
    public func consent(for purpose: ConsentPurpose? = nil) async -> ConsentState {
        await queue.consent(for: purpose ?? configuration.purposes.events)
    }

    /// Stores the person's answer, and reports it. Set the answers at each start as well; one that holds already is not
    /// reported again.
    ///
    /// - `optedIn` sends what was kept, and reports who the person is if that was not reported.
    /// - `optedOut` deletes everything that was not sent. One record of the answer is sent.
    ///
    /// - Parameter purpose: Nil for all purposes of the configuration.
    /// - Throws: `storage` or `notKept`; an opt-out still applies, but without the state there is no record of it.
    public func setConsent(
        _ answer: ConsentState, for purpose: ConsentPurpose? = nil
    ) async throws(PersonalizationError) {
        try await perform { moment async throws(PersonalizationError) in
            var moment = moment
            var failure: PersonalizationError?
            for purpose in purpose.map({ [$0] }) ?? self.configuration.purposes.all {
                do throws(PersonalizationError) {
                    try await self.setConsent(answer, for: purpose, at: moment)
                } catch {
                    failure = failure ?? error
                }
                moment.stamp = moment.makeStamp()
            }
            await self.updateDecisions()
            if let failure { throw failure }
        }
    }

    private func setConsent(
        _ answer: ConsentState, for purpose: ConsentPurpose, at moment: PersonalizationCore.Moment
    ) async throws(PersonalizationError) {
        var record: OutgoingEvent?
        do throws(PersonalizationError) {
            record = try prepare(answer, for: purpose, at: moment)
        } catch {
            // Without the state there is no record, because the id of the device is unknown. The queue must still send nothing.
            if answer == .optedOut { try? await queue.setConsent(answer, for: purpose) }
            throw error
        }
        do throws(CaptureError) {
            try await queue.setConsent(
                answer, for: purpose, record: record?.captured(to: configuration.destination))
        } catch {
            throw PersonalizationError(error, "consentLog")
        }
        if answer == .optedOut {
            try removeSetAside()
        } else if purpose == configuration.purposes.identity {
            try await reportIdentity(at: moment)
        }
    }

    /// What an answer does to the state, before the queue knows of it.
    ///
    /// - Returns: The record of the answer.
    private func prepare(
        _ answer: ConsentState, for purpose: ConsentPurpose, at moment: PersonalizationCore.Moment
    ) throws(PersonalizationError) -> OutgoingEvent? {
        if answer == .optedOut {
            // The state first: after a kill in between the answer is set again, and what was withdrawn is reported later.
            let withdrawn = try change(at: moment) { $0.willOptOut(of: purpose) }
            let reason = PersonalizationError(.consent, "the person opted out before the event was in the queue")
            for event in withdrawn { report(event, reason) }
            _ = store()
        }
        if purpose == configuration.purposes.identity { try change(at: moment) { $0.answersIdentity() } }
        return try change(at: moment) { $0.record(of: answer, for: purpose, at: moment) }
    }

    /// Reports who the person is, if that was not reported.
    func reportIdentity(at moment: PersonalizationCore.Moment) async throws(PersonalizationError) {
        guard await queue.consent(for: configuration.purposes.identity) != .optedOut else { return }
        var later = moment
        later.stamp = moment.makeStamp()
        try change(at: later) { $0.mayReportIdentity(at: later) }
        try await settle()
    }
}
