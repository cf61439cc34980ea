/// The types of push that an app handles, each with its handler.
public struct PushRoutes: Sendable {
    private var byType: [String: PushRoute] = [:]

    /// A later route replaces an earlier one for the same type.
    public init(_ routes: [PushRoute]) {
        for route in routes { register(route) }
    }

    /// One handler for all types.
    public init(_ types: HintTypes, handler: any HintHandler) {
        self.init(types.all.map { PushRoute($0, handler: handler) })
    }

    /// Adds a route, or replaces the one for the same type.
    public mutating func register(_ route: PushRoute) { byType[route.type] = route }

    /// Whether to show a visible push while the app is on screen. Unknown types are shown.
    public func isShownInForeground(_ push: Push) -> Bool {
        push["type"]?.string.flatMap { byType[$0] }?.isSilent != true
    }

    /// What a push is about.
    public func target(of push: Push) -> PushTarget {
        switch read(push).outcome {
        case .work(let hint, _): PushTarget(hint)
        case .nothing(.noRecords): push["type"]?.string.map { .message(type: $0) } ?? .unknown
        case .nothing: .unknown
        }
    }

    func read(_ push: Push) -> (outcome: PushRoute.Outcome, issues: [PushIssue]) {
        if let type = push["type"]?.string, let route = byType[type] { return route.read(push) }
        // Without any type registered the reading says what is wrong with `type`.
        let reading = HintTypes([]).read(push)
        guard case .nothing(let reason) = reading.outcome else { return (.nothing(.unknownType), reading.issues) }
        return (.nothing(reason), reading.issues)
    }
}
