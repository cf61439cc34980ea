public import PushDispatch

extension HintType {
    /// A case that the user follows has changed: a type that names one record.
    public static let caseUpdate = HintType(
        "CASE_UPDATE", content: .one(object: "Case", key: "caseId"), fields: ["Subject", "Status"])
}

/// A visit begins soon: a type with its own message and handler.
public struct VisitReminder: Decodable, Hashable, Sendable {
    public var visitId: RecordID
    public var minutes: Int

    public init(visitId: RecordID, minutes: Int) {
        self.visitId = visitId
        self.minutes = minutes
    }
}

extension PushRoute {
    /// A reminder goes to the app, and its visit is fetched later if the app fails to add it.
    static func visitReminder(_ remind: @escaping @Sendable (VisitReminder) async throws -> Void) -> PushRoute {
        PushRoute(
            "VISIT_REMINDER", as: VisitReminder.self,
            hint: { Hint(type: "VISIT_REMINDER", object: "Visit__c", records: [$0.visitId]) },
            handle: { reminder, _ in
                try await remind(reminder)
                return HandlerReport(changed: 1)
            })
    }
}
