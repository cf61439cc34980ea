import APNSModel

/// Decides who may use the control API and the page.
///
/// On loopback the API needs no token, so any web page in a browser on this machine could send requests to it. Therefore a
/// request must name this machine as its host, which excludes DNS rebinding, and one that a web page makes must come from
/// the service's own page. The vendor's paths are open to web pages, because sites use them.
struct ServiceControlGuard: Sendable {
    let access: ControlAccess

    init(host: String, token: String?) { access = ControlAccess(host: host, token: token) }

    func problem(with request: ServiceRequest) -> ControlProblem? {
        guard VendorRoute(request.path) == nil else { return nil }
        let host = request.headers["host"] ?? ""
        if let origin = request.headers["origin"], origin != "http://\(host)" {
            return ControlProblem(403, "the request comes from another web page; only the service's own may use this")
        }
        guard access.accepts(host: host) else {
            return ControlProblem(
                403,
                "the Host header names another machine; use localhost or 127.0.0.1, or start the service with a "
                    + "control token")
        }
        guard request.path != "/", !access.accepts(authorization: request.headers["authorization"]) else { return nil }
        return ControlProblem(
            401, "send the header Authorization: Bearer with the control token that the service was started with")
    }
}
