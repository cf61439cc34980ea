import APNSProvider

/// The errors that a run has reported. Each is reported once, and only the first ones.
struct ReportedErrors: Hashable, Sendable {
    private var descriptions: Set<String> = []

    static let maximum = 20

    /// The message about an error, with advice; nil for an error that needs none or was reported before.
    mutating func message(about error: APNSSendError) -> String? {
        // The user who stopped the run does not need a message about it.
        guard error.code != .cancelled, descriptions.count <= ReportedErrors.maximum,
            descriptions.insert(error.description).inserted
        else { return nil }
        guard descriptions.count <= ReportedErrors.maximum else {
            return "there are more kinds of errors, which are not shown"
        }
        return PlainText.safe(error.description) + advice(error)
    }

    private func advice(_ error: APNSSendError) -> String {
        switch error.code {
        case .connectionFailed:
            "\n    Check that the gateway runs there, its port, --ca and, if you use one, --certificate."
        case .deadlineExceeded: "\n    A longer --timeout waits longer."
        default: ""
        }
    }
}
