import EventDelivery

/// The event that tells the service about a person's answer. It is sent whatever the answer.
enum ConsentRecord {
    /// Nil for a purpose without an answer.
    static func event(
        _ answer: ConsentState, purpose: ConsentPurpose, provider: String, header: EventHeader
    ) -> OutgoingEvent? {
        let status: String
        switch answer {
        case .pending: return nil
        case .optedIn: status = "Opt In"
        case .optedOut: status = "Opt Out"
        }
        return OutgoingEvent(
            type: "consentLog", category: .engagement, header: header, purpose: purpose, priority: .high,
            members: [
                ("status", .text(status)), ("provider", .text(provider)), ("purpose", .text(purpose.rawValue)),
            ])
    }
}
