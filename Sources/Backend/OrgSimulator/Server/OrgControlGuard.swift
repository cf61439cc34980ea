import APNSModel

/// Decides who may use the control API.
///
/// On loopback the API needs no token, so any web page in a browser on this machine could send requests to it.
/// Therefore a request must name this machine as its host, which excludes DNS rebinding, and must not come from a web
/// page. The REST interface does not need this check, because it requires an access token.
struct OrgControlGuard: Sendable {
    let access: ControlAccess

    init(host: String, token: String?) { access = ControlAccess(host: host, token: token) }

    func problem(with request: OrgRequest) -> OrgProblem? {
        guard request.path == OrgWorld.controlRoot || request.path.hasPrefix(OrgWorld.controlRoot + "/") else {
            return nil
        }
        guard request.headers["origin"] == nil else {
            return OrgProblem(403, "the request comes from a web page; web pages must not use the control API")
        }
        guard access.accepts(host: request.headers["host"] ?? "") else {
            return OrgProblem(
                403,
                "the Host header names another machine; use localhost or 127.0.0.1, or start the org with a "
                    + "control token")
        }
        guard access.accepts(authorization: request.headers["authorization"]) else {
            return OrgProblem(
                401,
                "send the header Authorization: Bearer with the control token that the org was started with")
        }
        return nil
    }
}
