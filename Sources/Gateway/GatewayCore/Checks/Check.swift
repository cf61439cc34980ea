import APNSModel

/// One check of the table: what it looks at, the reasons it may give, and how well its place in the order is known.
struct Check: Sendable {
    /// The marks of docs/reference/apns.md 0.1, for the place of the check in the order.
    enum Evidence: String, Sendable {
        case documented = "D"
        case observed = "O"
        case clients = "C"
        case inferred = "I"
    }

    typealias Body = @Sendable (inout Inspection, inout World, inout GatewayConnection) -> Objection?

    /// The step of docs/reference/apns.md 3.5.
    let step: Int
    /// What a verdict names. Ids never change meaning.
    let id: String
    let reasons: [Reason]
    let evidence: Evidence
    let body: Body

    init(_ step: Int, _ id: String, _ reasons: [Reason], _ evidence: Evidence, _ body: @escaping Body) {
        self.step = step
        self.id = id
        self.reasons = reasons
        self.evidence = evidence
        self.body = body
    }
}
