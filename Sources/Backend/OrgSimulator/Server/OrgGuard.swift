import APNSModel

/// Who may use the control API.
///
/// On loopback it asks for nothing, and every web page that a browser of this machine shows can send requests to it: so a
/// call has to name this machine as its host, which a page that was rebound to it by DNS does not, and may not come from
/// a page. The REST interface needs no such care, because it asks for an access token.
struct OrgGuard: Sendable {
    let access: ControlAccess

    init(host: String, token: String?) { access = ControlAccess(host: host, token: token) }

    func problem(with call: OrgRequest) -> OrgProblem? {
        guard call.path == OrgWorld.controlRoot || call.path.hasPrefix(OrgWorld.controlRoot + "/") else { return nil }
        guard call.headers["origin"] == nil else {
            return OrgProblem(403, "the request comes from a web page, and pages may not use the control API")
        }
        guard access.accepts(host: call.headers["host"] ?? "") else {
            return OrgProblem(
                403,
                "the Host header names another machine; use localhost or 127.0.0.1, or start with --control-token")
        }
        guard access.accepts(authorization: call.headers["authorization"]) else {
            return OrgProblem(
                401,
                "send the header Authorization: Bearer with the token that the org was started with (--control-token)")
        }
        return nil
    }
}
