import PushDispatch

extension CRMSync.Configuration {
    /// All types of push.
    ///
    /// - Parameters:
    ///   - handler: For the types that name records.
    ///   - regularSync: For the type that names none.
    func routes(_ handler: any HintHandler, _ regularSync: PushRoute) -> PushRoutes {
        var all = PushRoutes(types, handler: handler)
        all.register(regularSync)
        for route in routes { all.register(route) }
        return all
    }
}

/// Handles nothing: for reading pushes before the store is open.
struct ReadingHandler: HintHandler {
    func handle(_ hint: Hint, _ context: HandlerContext) async throws -> HandlerReport {
        HandlerReport(changed: 0, unfinished: hint.records, isFailed: true)
    }
}

extension HintHandler where Self == ReadingHandler {
    static var reading: ReadingHandler { ReadingHandler() }
}

extension PushRoute {
    static var regularSyncReading: PushRoute {
        .regularSync { _, _ in HandlerReport(changed: 0, isFailed: true) }
    }
}
