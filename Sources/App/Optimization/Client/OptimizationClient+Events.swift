import EventDelivery
public import PushDispatch

extension OptimizationClient {
    /// The person has logged in, or more is known about them.
    ///
    /// Like `page`, `screen` and `track` it returns when the service has answered, or when it is clear that it does not now;
    /// the event is kept then, and the state changes with a later answer.
    ///
    /// - Throws: `notInitialized`; `notKept` if the queue has no space for an event of this size, `storage` if it cannot be
    ///   written.
    @discardableResult
    public func identify(
        userID: String, traits: [String: JSONValue] = [:]
    ) async throws(OptimizationError) -> EventOutcome {
        try await upsert(.identify(userID, traits))
    }

    /// A page was opened. In an app ``screen(_:properties:)`` is preferred.
    @discardableResult
    public func page(_ properties: [String: JSONValue] = [:]) async throws(OptimizationError) -> EventOutcome {
        try await upsert(.page(properties))
    }

    /// A screen came up.
    @discardableResult
    public func screen(
        _ name: String, properties: [String: JSONValue] = [:]
    ) async throws(OptimizationError) -> EventOutcome {
        try await upsert(.screen(name, properties))
    }

    /// Something happened that audiences can be made of.
    @discardableResult
    public func track(
        _ event: String, properties: [String: JSONValue] = [:]
    ) async throws(OptimizationError) -> EventOutcome {
        try await upsert(.track(event, properties))
    }

    /// An entry was seen. A view of a sticky entry goes to the profile service too.
    ///
    /// - Returns: `withoutProfile` if it is dropped, because there is no profile yet that it could belong to.
    @discardableResult
    public func trackView(_ payload: ViewPayload) async throws(OptimizationError) -> EventOutcome {
        try await capture(.view(payload), isForProfile: payload.entry.isSticky, isForAnalytics: true)
    }

    /// An entry was tapped.
    @discardableResult
    public func trackClick(_ payload: ClickPayload) async throws(OptimizationError) -> EventOutcome {
        try await capture(.click(payload), isForProfile: false, isForAnalytics: true)
    }

    /// Names the campaign of all events from now on: `name`, `source`, `medium`, `term`, `content`. It is not stored.
    public func setCampaign(_ campaign: [String: String]) { core?.campaign = campaign }

    private func upsert(_ event: OptimizationEvent) async throws(OptimizationError) -> EventOutcome {
        let outcome = try await capture(event, isForProfile: true, isForAnalytics: false)
        if outcome == .queued, let queue, let core {
            let (product, overflow) = core.configuration.requestMilliseconds.multipliedReportingOverflow(by: 2)
            // A request and its one repeat.
            _ = await queue.waitUntilSent(
                OptimizationCore.profileQueue, atMost: overflow ? .max : max(0, product))
        }
        return outcome
    }

    private func capture(
        _ event: OptimizationEvent, isForProfile: Bool, isForAnalytics: Bool
    ) async throws(OptimizationError) -> EventOutcome {
        guard let core, let queue else { throw .notInitialized(event.method) }
        guard core.admits(event.type) else { return block(event) }
        var events: [CapturedEvent] = []
        var published: JSONValue?
        if isForProfile {
            let stamp = makeStamp()
            let json = core.json(event, stamp)
            events.append(core.profileEvent(event, json, stamp))
            published = json
        }
        if isForAnalytics {
            let stamp = makeStamp()
            let json = core.json(event, stamp)
            if let captured = core.analyticsEvent(event, json, stamp) {
                events.append(captured)
                published = published ?? json
            } else {
                report(.droppedWithoutProfile(method: event.method))
            }
        }
        guard !events.isEmpty else { return .withoutProfile }
        if let published { rawEvents.send(published) }
        // In the order of the calls.
        let failure: CaptureError? = await serial {
            do throws(CaptureError) {
                for event in events { try await queue.capture(event) }
                return nil
            } catch {
                return error
            }
        }
        guard let failure else { return .queued }
        if failure.reason == .consent { return block(event) }
        if let reason = failure.reason {
            throw OptimizationError(.notKept, "the \(event.type) event is not kept: \(reason)")
        }
        throw OptimizationError(.storage, "the \(event.type) event could not be stored; try again later (\(failure))")
    }

    private func block(_ event: OptimizationEvent) -> EventOutcome {
        report(.blocked(method: event.method))
        blocked.send(BlockedEvent(method: event.method, type: event.type, arguments: event.members))
        return .blocked
    }

    // Consent.

    /// The person's answer, which is stored. In the later generation it is the answer for events and for storage.
    ///
    /// Without consent only the types that need none are sent. Withdrawing it deletes the events in the queues that need it,
    /// and reports them as dropped.
    public func consent(_ isGiven: Bool) async { await consent(events: isGiven, storage: isGiven) }

    /// The later generation's two answers. Without the second one nothing but the answers is stored. The first generation has
    /// one answer for both, which is the one for events.
    public func consent(events: Bool, storage: Bool) async {
        guard core != nil, let queue else { return }
        core?.setConsent(events: events, storage: storage)
        let answer = core?.queueConsent ?? .pending
        changed()
        await serial { try? await queue.setConsent(answer, for: OptimizationCore.purpose) }
    }

    // Queues.

    /// How many events wait: for the profile service, and for the analytics service.
    public func queuedEvents() async -> (profile: Int, analytics: Int) {
        guard let queue else { return (0, 0) }
        let profile = await queue.status(of: OptimizationCore.profileQueue)?.kept ?? 0
        return (profile, await queue.status(of: OptimizationCore.analyticsQueue)?.kept ?? 0)
    }
}
