import PushDispatch

extension HintType {
    /// A case that the user watches has changed: one record, by configuration alone.
    public static let caseUpdate = HintType(
        "CASE_UPDATE", content: .one(object: "Case", key: "caseId"), fields: ["Subject", "Status"])
}

/// A visit begins soon: a type of its own, with a value and a handler of its own.
public struct VisitReminder: Decodable, Hashable, Sendable {
    public var visitId: RecordID
    public var minutes: Int
}

extension PushTypes {
    /// The types that the CRM sends, and the app's own.
    static var hints: HintTypes {
        var types = HintTypes.standard
        types.register(.caseUpdate)
        return types
    }
}

/// The pushes that this app understands.
enum PushTypes {
    /// Hints go to the sync; a reminder goes to the app, and its visit is fetched later if that does not work out.
    static func routes(
        sync: any HintHandler, remind: @escaping @Sendable (VisitReminder) async throws -> Void
    ) -> PushRoutes {
        var routes = PushRoutes(hints, handler: sync)
        routes.register(
            PushRoute(
                "VISIT_REMINDER", as: VisitReminder.self,
                hint: { Hint(type: "VISIT_REMINDER", object: "Visit__c", records: [$0.visitId]) },
                handle: { reminder, _ in
                    try await remind(reminder)
                    return HandlerReport(changed: 1)
                }))
        return routes
    }
}
