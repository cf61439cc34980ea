/// A check of `apns doctor` and its documentation. It looks at evidence that probes have collected, and at nothing else.
package struct DoctorCheck: Sendable, Identifiable {
    /// Never changes its meaning. The id of a removed check is not used again.
    package let id: String
    package let layer: DoctorLayer
    /// What the check looks at, in one sentence.
    package let summary: String
    /// The usual cause of a failure.
    package let cause: String
    /// The next step after a failure, unless a verdict has a more precise one.
    package let next: String
    private let judge: @Sendable (DoctorEvidence) throws -> DoctorVerdict

    /// - Parameters:
    ///   - subject: The part of the evidence that the check is about. Without it the check is skipped, so it cannot pass on
    ///     what nobody saw.
    ///   - judge: Decides by the subject alone.
    init<Subject>(
        id: String, layer: DoctorLayer, summary: String, cause: String, next: String,
        subject: @escaping @Sendable (DoctorEvidence) -> Observation<Subject>,
        judge: @escaping @Sendable (Subject) throws -> DoctorVerdict
    ) {
        self.id = id
        self.layer = layer
        self.summary = summary
        self.cause = cause
        self.next = next
        self.judge = { evidence in
            switch subject(evidence) {
            case .seen(let subject): return try judge(subject)
            case .unseen(let why): return .skip(why)
            case .broken(let why): throw BrokenProbe(description: why)
            }
        }
    }

    /// The result for this evidence. A check or a probe that fails by a fault of its own has the state `fail`.
    package func result(for evidence: DoctorEvidence) -> DoctorResult {
        do {
            return result(try judge(evidence))
        } catch {
            return ownFault("\(error)")
        }
    }

    /// The result where the check, or the probe that it needs, failed by a fault of its own.
    ///
    /// - Parameter description: Without a secret.
    package func ownFault(_ description: String) -> DoctorResult {
        DoctorResult(
            check: id, layer: layer, state: .fail, message: "the check itself failed: \(description)",
            next: "report it with this message; the other checks are not affected")
    }

    private func result(_ verdict: DoctorVerdict) -> DoctorResult {
        let (state, message, step): (DoctorState, String, String) =
            switch verdict {
            case .pass(let message): (.pass, message, "")
            case .warn(let message, let step): (.warn, message, step ?? next)
            case .fail(let message, let step): (.fail, message, step ?? next)
            case .skip(let message, let step): (.skip, message, step ?? "")
            }
        return DoctorResult(check: id, layer: layer, state: state, message: message, next: step)
    }

    private struct BrokenProbe: Error, CustomStringConvertible {
        let description: String
    }
}

extension DoctorCheck: CustomStringConvertible {
    package var description: String { id }
}
