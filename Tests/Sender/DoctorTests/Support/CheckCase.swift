import Testing

@testable import Doctor

/// Evidence, and what one check says of it.
struct CheckCase: Sendable, CustomTestStringConvertible {
    let check: String
    let name: String
    let state: DoctorState
    /// A part of the message or of the next step.
    let text: String
    let evidence: DoctorEvidence

    init(
        _ check: String, _ name: String, _ state: DoctorState, _ text: String,
        _ change: (inout DoctorEvidence) -> Void
    ) {
        self.check = check
        self.name = name
        self.state = state
        self.text = text
        var evidence = DoctorEvidence.sound
        change(&evidence)
        self.evidence = evidence
    }

    var testDescription: String { "\(check): \(name)" }

    static let all = keys + certificates + clocks + routes + tls + identities + topics + devices + queues
}
