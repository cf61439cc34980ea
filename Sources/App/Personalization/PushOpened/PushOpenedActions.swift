/// What an app does when a personalization push is opened. `PushOpenedHandler` calls them in this order.
public struct PushOpenedActions<Route: Sendable>: Sendable {
    /// Queues the open event with ``OpenedPush/eventID``. The time of the open is that of the call.
    public var queueOpen: @Sendable (OpenedPush) async throws -> Void
    /// Where the link leads by the app's rules; nil for nowhere.
    public var route: @Sendable (_ link: String) -> Route?
    /// Opens the screen at once, with cached or default content. It must not wait for the fetch.
    public var navigate: @Sendable (OpenedPush, Route?) async -> Void
    /// Fetches the landing points.
    public var fetch: @Sendable (_ points: [String], DecisionContext) async throws -> FetchedDecisions
    /// Shows what was fetched. After a failure the screen keeps what it shows.
    public var show: @Sendable (OpenedPush, Result<FetchedDecisions, any Error>) async -> Void

    public init(
        queueOpen: @escaping @Sendable (OpenedPush) async throws -> Void,
        route: @escaping @Sendable (_ link: String) -> Route?,
        navigate: @escaping @Sendable (OpenedPush, Route?) async -> Void,
        fetch: @escaping @Sendable (_ points: [String], DecisionContext) async throws -> FetchedDecisions,
        show: @escaping @Sendable (OpenedPush, Result<FetchedDecisions, any Error>) async -> Void
    ) {
        self.queueOpen = queueOpen
        self.route = route
        self.navigate = navigate
        self.fetch = fetch
        self.show = show
    }
}
