/// The types of push that an app understands, each with its handler.
public struct PushRoutes: Sendable {
    private var byType: [String: PushRoute] = [:]

    /// Of two routes for one type the later one counts.
    public init(_ routes: [PushRoute]) {
        for route in routes { register(route) }
    }

    /// One handler for all types.
    public init(_ types: HintTypes, handler: any HintHandler) {
        self.init(types.all.map { PushRoute($0, handler: handler) })
    }

    /// Adds a route, or replaces that of the same type.
    public mutating func register(_ route: PushRoute) { byType[route.type] = route }

    func read(_ push: Push) -> (outcome: PushRoute.Outcome, issues: [PushIssue]) {
        if let type = push["type"]?.string, let route = byType[type] { return route.read(push) }
        // Says what is wrong with the type.
        let reading = HintTypes([]).read(push)
        guard case .nothing(let reason) = reading.outcome else { return (.nothing(.unknownType), reading.issues) }
        return (.nothing(reason), reading.issues)
    }
}
