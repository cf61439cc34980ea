import EventDelivery
import PushDispatch

extension PersonalizationClient {
    /// Reports an event of the app. When this returns, the event survives the end of the process. An order or a cart is in the
    /// queue with all its items or not at all.
    ///
    /// - Throws: `consent` after an opt-out, `notKept` if the queue has no space, `storage` if it cannot be written.
    public func track(_ event: AppEvent) async throws(PersonalizationError) {
        try await perform { moment async throws(PersonalizationError) in try await self.capture(event, at: moment) }
    }

    /// A screen came up. Does nothing unless ``PersonalizationConfiguration/tracksScreens`` is set.
    public func screen(_ name: String) async throws(PersonalizationError) {
        try AppEvent.check(name, "the name of a screen")
        guard configuration.tracksScreens else { return }
        try await track(.behavior(.screen(name), of: configuration.app))
    }

    /// Where the device is, for all events from now on; nil for none. It is not stored.
    public func setLocation(_ location: GeoLocation?) async throws(PersonalizationError) {
        try await perform { moment async throws(PersonalizationError) in
            try self.change(at: moment) { $0.location = location }
        }
    }

    // Engagement with decisions.

    /// Content came on the screen. Once in a session for each content; a view may call it as often as it appears.
    ///
    /// - Returns: Whether it was the first time, so that an event is in the queue. A call that throws counts for nothing.
    /// - Throws: `missingID` without the ids that the service needs.
    @discardableResult
    public func appeared(
        _ content: EngagementContent, attributes: [String: AttributeValue] = [:]
    ) async throws(PersonalizationError) -> Bool {
        let event = try content.event(.impression, configuration.naming, attributes)
        return try await perform { moment async throws(PersonalizationError) in
            switch try self.change(at: moment, { $0.checkImpression(content.contentID, at: moment) }) {
            case .isKnown: return false
            case .isFull:
                throw PersonalizationError(
                    .tooManyImpressions,
                    "the session has as many different impressions as are remembered: maximumImpressions, and "
                        + "\(ImpressionSet.maximumBytes) bytes of ids; raise maximumImpressions if that is right")
            case .isNew: break
            }
            if try self.change(at: moment, { $0.endStoredSession() }), let failure = self.store() { throw failure }
            try await self.capture(event, at: moment)
            // Only what is in the queue counts as seen.
            try self.change(at: moment) { $0.queuedImpression(content.contentID) }
            return true
        }
    }

    /// Content was tapped. Each tap counts.
    public func tapped(
        _ content: EngagementContent, attributes: [String: AttributeValue] = [:]
    ) async throws(PersonalizationError) {
        try await track(try content.event(.click, configuration.naming, attributes))
    }

    /// Content was waved away.
    public func dismissed(
        _ content: EngagementContent, attributes: [String: AttributeValue] = [:]
    ) async throws(PersonalizationError) {
        try await track(try content.event(.dismiss, configuration.naming, attributes))
    }

    /// The person followed a link to a place in the app.
    ///
    /// - Parameter content: The content with the link; its event is a click then.
    public func followed(
        _ route: DeepLinkRoute, from content: EngagementContent? = nil
    ) async throws(PersonalizationError) {
        if let content {
            try await tapped(content)
        } else {
            try await track(try .followedLink(route))
        }
    }

    // The queue.

    /// Passes an event and what belongs to it to the queue, all or nothing, after what waits for it.
    func capture(
        _ event: AppEvent, priority: EventPriority = .normal, at moment: PersonalizationCore.Moment
    ) async throws(PersonalizationError) {
        let events = try change(at: moment) { $0.outgoing(event, priority: priority, at: moment) }
        try await drain()
        do throws(CaptureError) {
            try await queue.capture(together: events.compactMap { $0.captured(to: configuration.destination) })
        } catch {
            throw PersonalizationError(error, event.type)
        }
    }

    /// For events that wait in the state: whether the queue would refuse them.
    func checkConsent(_ kind: String) async throws(PersonalizationError) {
        switch await queue.consent(for: configuration.purposes.events) {
        case .optedIn: break
        case .pending: if configuration.delivery.whilePending == .refuse { throw .consent(kind) }
        case .optedOut: throw .consent(kind)
        }
    }
}

extension AppEvent {
    static func followedLink(_ route: DeepLinkRoute) throws(PersonalizationError) -> AppEvent {
        // A link comes from outside: what is too long is cut, and a parameter that cannot be sent is left out.
        let value = route.value.prefix(ofBytes: maximumNameBytes)
        try check(value, "the value of a link")
        var event = AppEvent(type: "userEngagement", interaction: "deep-link-open")
        event.add("linkType", route.kind.rawValue)
        event.add("linkValue", value)
        var campaign: [String: AttributeValue] = [:]
        for (name, value) in route.campaign where (try? check(name, "the name of a parameter")) != nil {
            campaign[name] = .text(value.prefix(ofBytes: maximumNameBytes))
        }
        try event.addAttributes(campaign)
        return event
    }
}

extension String {
    /// As many whole characters as fit.
    fileprivate func prefix(ofBytes limit: Int) -> String {
        var bytes = 0
        return String(
            prefix { character in
                bytes += character.utf8.count
                return bytes <= limit
            })
    }
}
