package import Doctor

/// Asks the engine of a queue about itself. It changes nothing there.
package protocol QueueProbing: Sendable {
    /// A fault of the engine is part of the evidence; what is thrown is a fault of the probe.
    ///
    /// - Parameter limit: For each question.
    func evidence(within limit: Duration) async throws -> QueueEvidence
}
