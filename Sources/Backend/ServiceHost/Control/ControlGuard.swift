import APNSModel

/// Decides who may use a control API.
///
/// On loopback the API needs no token, so any web page in a browser on this machine could send requests to it. Therefore a
/// request must name this machine as its host, which excludes DNS rebinding, and must not come from another's web page.
package struct ControlGuard: Sendable {
    /// Which web pages may send requests.
    package enum Pages: Sendable {
        case none
        /// Those of the service itself.
        case own
    }

    private let access: ControlAccess
    private let pages: Pages
    /// In messages, such as `the org`.
    private let service: String

    /// - Parameters:
    ///   - host: The address that the service listens on.
    ///   - token: What clients must send as a bearer token; nil asks for nothing.
    package init(host: String, token: String?, pages: Pages, service: String) {
        access = ControlAccess(host: host, token: token)
        self.pages = pages
        self.service = service
    }

    /// Why a request to the control API is refused; nil for one that may be answered.
    ///
    /// - Parameter isPage: Whether it asks for the page itself, which a browser does without a token.
    package func problem(with request: ServiceRequest, isPage: Bool = false) -> ControlProblem? {
        let host = request.headers["host"] ?? ""
        if let origin = request.headers["origin"] {
            switch pages {
            case .none:
                return ControlProblem(403, "the request comes from a web page; web pages must not use the control API")
            case .own where origin != "http://\(host)":
                return ControlProblem(
                    403, "the request comes from another web page; only those of \(service) may use the control API")
            case .own: break
            }
        }
        guard access.accepts(host: host) else {
            return ControlProblem(
                403,
                "the Host header names another machine; use localhost or 127.0.0.1, or start \(service) with a control "
                    + "token")
        }
        guard isPage || access.accepts(authorization: request.headers["authorization"]) else {
            return ControlProblem(
                401,
                "send the header Authorization: Bearer with the control token that \(service) was started with")
        }
        return nil
    }
}
