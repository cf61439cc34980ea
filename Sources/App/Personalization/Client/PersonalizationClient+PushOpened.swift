import EventDelivery
package import PushDispatch

extension PersonalizationClient {
    /// The handler for personalization pushes that a person opens: the open event is queued first and once, then the link is
    /// followed by the rules of the configuration, then the landing points are fetched.
    ///
    /// - Parameters:
    ///   - store: Remembers which notifications were opened: a ``FileDecisionStore`` with a file of its own.
    ///   - navigate: Opens the screen at once, with cached or default content.
    ///   - show: Shows what was fetched. After a failure the screen keeps what it shows.
    /// - Throws: `storage` if the state of the library cannot be read now.
    public func pushOpenedHandler(
        rules: PushOpenedRules = PushOpenedRules(), store: any DecisionStore,
        onEvent: @escaping @Sendable (PushOpenedEvent) -> Void = { _ in },
        navigate: @escaping @Sendable (OpenedPush, DeepLinkRoute?) async -> Void,
        show: @escaping @Sendable (OpenedPush, Result<FetchedDecisions, any Error>) async -> Void
    ) async throws(PersonalizationError) -> PushOpenedHandler<DeepLinkRoute> {
        try await pushOpenedHandler(
            rules: rules, store: store, tasks: .standard, onEvent: onEvent, navigate: navigate, show: show)
    }

    /// The same with the tasks started by `tasks`, and another limit for the open event.
    package func pushOpenedHandler(
        rules: PushOpenedRules = PushOpenedRules(), store: any DecisionStore, tasks: TaskStarter,
        eventLimitMilliseconds: Int64 = 1_000,
        onEvent: @escaping @Sendable (PushOpenedEvent) -> Void = { _ in },
        navigate: @escaping @Sendable (OpenedPush, DeepLinkRoute?) async -> Void,
        show: @escaping @Sendable (OpenedPush, Result<FetchedDecisions, any Error>) async -> Void
    ) async throws(PersonalizationError) -> PushOpenedHandler<DeepLinkRoute> {
        let links = configuration.links
        let actions = PushOpenedActions<DeepLinkRoute>(
            queueOpen: { try await self.opened($0) }, route: { links.outcome(of: $0).route }, navigate: navigate,
            fetch: { try await self.fetchDecisions($0, context: $1) }, show: show)
        return PushOpenedHandler(
            rules: rules, installation: try await installationID(), store: store, clock: clock,
            eventLimitMilliseconds: eventLimitMilliseconds, tasks: tasks, onEvent: onEvent, actions: actions)
    }

    private func installationID() async throws(PersonalizationError) -> String {
        try await perform { moment async throws(PersonalizationError) in
            try self.change(at: moment) { $0.installationID }
        }
    }

    /// Queues the open event of a notification, with the id that it always has on this device.
    func opened(_ push: OpenedPush) async throws(PersonalizationError) {
        var event = AppEvent(type: "engagement", interaction: "Push Notification Open")
        // Values from a payload are untrusted: what is too long is left out, and the open still counts.
        if let campaign = push.content.context.attributes["campaign"]?.text,
            (try? AppEvent.check(campaign, "campaign")) != nil
        {
            event.add("campaign", campaign)
        }
        let opened = event
        try await perform { moment async throws(PersonalizationError) in
            var moment = moment
            moment.stamp.id = push.eventID
            try await self.checkConsent(opened.type)
            // The person does not tap again, so the event is kept until the queue can be written.
            try self.change(at: moment) { core in
                core.postOnce(core.outgoing(opened, priority: .high, at: moment))
            }
            try await self.settle()
        }
    }
}
