import EventDelivery
import PushDispatch

extension PersonalizationClient {
    /// Asks what to show at some points, for whoever uses the app now.
    ///
    /// After a log-in it first waits until the service knows the person, for at most
    /// ``PersonalizationConfiguration/identityWaitMilliseconds``; a reply that comes without that is not kept. Until the service
    /// knows of a log-out it is not asked, because it would answer for the person before. Then, offline, after a failure and after
    /// the timeout the result has the last good reply or the app's own content.
    ///
    /// - Parameter timeoutMilliseconds: Nil for the configuration's. The wait for the log-in is part of it.
    /// - Throws: As ``DecisionClient/fetchDecisions(_:context:flags:timeoutMilliseconds:)``: `consent` at once without an opt-in,
    ///   `requestInvalid` for a timeout that is not positive, `notInitialized` if the state or the person's answer cannot be read.
    public func fetchDecisions(
        _ points: [String], context: DecisionContext = DecisionContext(), flags: Set<DecisionRequest.Flag> = [],
        timeoutMilliseconds: Int64? = nil
    ) async throws(DecisionError) -> FetchedDecisions {
        let (decisions, person) = try await readyDecisions()
        try await checkConsent()
        let timeout = try decisions.configuration.timeout(timeoutMilliseconds)
        let start = clock.now()
        let standing = try await awaitIdentity(within: timeout / 2)
        let left = max(1, timeout - max(0, clock.now().milliseconds(since: start)))
        return try await decisions.fetch(
            DecisionQuery(
                points: points, context: context, flags: flags, standing: standing, generation: person.generation),
            timeoutMilliseconds: left)
    }

    /// What can be shown at once: the cached reply, or the app's own content. No request is sent.
    ///
    /// - Throws: `notInitialized` if the state or the person's answer cannot be read.
    public func cachedDecisions(
        _ points: [String], context: DecisionContext = DecisionContext()
    ) async throws(DecisionError) -> FetchedDecisions {
        let (decisions, _) = try await readyDecisions()
        try await checkAnswer()
        return await decisions.cachedDecisions(points, context: context)
    }

    /// Starts requests whose replies go into the cache, and returns.
    ///
    /// - Throws: `notInitialized`, `consent`, `requestInvalid`, `userChanged`.
    public func prefetchDecisions(
        _ points: [String], context: DecisionContext = DecisionContext(), ifOlderThan ageMilliseconds: Int64 = 0
    ) async throws(DecisionError) {
        let (decisions, person) = try await readyDecisions()
        try await checkConsent()
        let standing = try await awaitIdentity(within: configuration.identityWaitMilliseconds)
        try await decisions.prefetch(
            DecisionQuery(points: points, context: context, standing: standing, generation: person.generation),
            ifOlderThan: ageMilliseconds)
    }

    /// The client for decisions, once it knows who uses the app and what they have answered, and who that is.
    private func readyDecisions() async throws(DecisionError) -> (DecisionClient, IdentitySnapshot) {
        guard let decisions else { throw .notInitialized }
        do throws(PersonalizationError) {
            let person = try await perform { moment async throws(PersonalizationError) in
                let person = try self.change(at: moment) { $0.identity }
                await self.updateDecisions()
                return person
            }
            return (decisions, person)
        } catch {
            throw DecisionError(.notInitialized, "the client does not know who uses the app: \(error.detail)")
        }
    }

    private func checkConsent() async throws(DecisionError) {
        try await checkAnswer()
        guard await consent(for: configuration.purposes.decisions) == .optedIn else { throw .consent }
    }

    /// - Throws: `notInitialized` if there may be an answer in a store that cannot be opened now.
    private func checkAnswer() async throws(DecisionError) {
        guard await consent(for: configuration.purposes.decisions) == .pending else { return }
        do throws(EventStoreError) {
            try await queue.resume()
        } catch {
            throw DecisionError(
                .notInitialized,
                "the person's answer cannot be read, because the queue's store cannot be opened: \(error)")
        }
    }

    /// Tells the client for decisions about the person and the answer, if either has changed. Call it inside `perform`.
    func updateDecisions() async {
        guard let decisions, let identity = loadedIdentity else { return }
        if passedIdentity != identity {
            passedIdentity = identity
            await decisions.identityChanged(to: identity)
        }
        let consent = await queue.consent(for: configuration.purposes.decisions)
        if passedConsent != consent {
            passedConsent = consent
            await decisions.consentChanged(to: consent)
        }
    }
}

extension Decision {
    /// The decision as a whole, for engagement with fixed content; nil for the app's own content, which nothing is reported
    /// about.
    public var engagement: EngagementContent? {
        guard let personalizationID else { return nil }
        return EngagementContent(personalizationID: personalizationID, contentID: contentID ?? personalizationID)
    }

    /// An item, for engagement with it; nil for the app's own content, and where there is no such item.
    ///
    /// - Parameters:
    ///   - type: What the catalog calls items of this kind.
    ///   - field: The field with the item's id. An item without it is content that is not about an item of the catalog.
    public func engagement(
        withItem index: Int, type: String = "Product", idIn field: String = "ssot__ProductSKU__c"
    ) -> EngagementContent? {
        guard let personalizationID, items.indices.contains(index) else { return nil }
        let item = items[index]
        return EngagementContent(
            personalizationID: personalizationID, contentID: item.contentID ?? personalizationID,
            item: item[field].flatMap { $0.isEmpty ? nil : EngagementContent.Item(type: type, id: $0) })
    }
}
