import APNSModel
import APNSProvider

/// The errors that a run has reported. Each is reported once, and only the first ones.
struct ReportedErrors: Hashable, Sendable {
    private var descriptions: Set<String> = []

    static let maximum = 20

    /// The message about an error, with advice; nil for an error that needs none or was reported before.
    ///
    /// - Parameter gateway: Where the notifications go, for the advice.
    mutating func message(about error: APNSSendError, _ gateway: APNSGateway) -> String? {
        // The user who stopped the run does not need a message about it.
        guard error.code != .cancelled, descriptions.count <= ReportedErrors.maximum,
            descriptions.insert(error.description).inserted
        else { return nil }
        guard descriptions.count <= ReportedErrors.maximum else {
            return "there are more kinds of errors, which are not shown"
        }
        return PlainText.safe(error.description) + advice(error, gateway)
    }

    private func advice(_ error: APNSSendError, _ gateway: APNSGateway) -> String {
        switch error.code {
        case .connectionFailed: "\n    \(ReportedErrors.advice(error.detail, gateway))"
        case .deadlineExceeded: "\n    A longer --timeout waits longer."
        default: ""
        }
    }

    private static func advice(_ detail: String, _ gateway: APNSGateway) -> String {
        guard !detail.contains("the proxy ") else {
            return "Check --proxy, or HTTPS_PROXY and NO_PROXY; --proxy none connects without a proxy."
        }
        if let advice = adviceAboutHost(detail, gateway) { return advice }
        guard detail.contains("connection refused") else {
            return "Check that the gateway runs there, its port, --ca and, if you use one, --certificate."
        }
        guard LoopbackHost.isLoopback(gateway.host) else {
            return "Check the address \(gateway) and that the gateway runs there."
        }
        let port = gateway.port == LocalGateway.defaultPort ? "" : " --port \(gateway.port)"
        return "Start a gateway simulator there with: \(ShellText.command) gateway\(port)"
    }

    /// What to do where the host of the gateway has no address; nil for another failure.
    static func adviceAboutHost(_ detail: String, _ gateway: APNSGateway) -> String? {
        guard detail.contains("cannot find the host") else { return nil }
        return
            "Check the spelling of \(PlainText.safe(gateway.host)), and the DNS of this machine, which \(ShellText.command) doctor "
            + "--gateway \(PlainText.safe(gateway.description)) asks. Behind an HTTP proxy give --proxy, which then finds the host."
    }
}
