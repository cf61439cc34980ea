import APNSModel
package import GatewayConfiguration
import GatewayJSON

/// Decides which requests may use the control API.
///
/// On loopback the API has no authentication, and every web page in a browser on this machine can send requests to it.
/// So a request must name this machine as its host, which a page that uses DNS rebinding does not, and a request from a
/// page must come from the control port itself. Some requests of pages have no origin, such as those for an image; the
/// browser says with `Sec-Fetch-Site` where they come from. Everything is decided from the head of the request.
package struct ControlGuard: Sendable {
    /// The address that was bound.
    let host: String
    /// What `Authorization: Bearer` must carry; nil requires no token.
    let token: String?
    /// The origin at which browsers reach the control port through a proxy; nil for none.
    let origin: WebOrigin?
    /// Whether webhooks may be on other machines.
    let allowsRemoteWebhooks: Bool

    package init(host: String, token: String?, origin: WebOrigin? = nil, allowsRemoteWebhooks: Bool = false) {
        self.host = host
        self.token = token
        self.origin = origin
        self.allowsRemoteWebhooks = allowsRemoteWebhooks
    }

    private var access: ControlAccess { ControlAccess(host: host, token: token) }

    /// - Parameter worldToken: The token of the world that the request is about, if that has its own.
    func check(_ request: ControlRequest, worldToken: String? = nil) throws(Problem) {
        try checkHost(request)
        try checkOrigin(request)
        try checkSite(request)
        try checkToken(request, worldToken)
    }

    private func checkHost(_ request: ControlRequest) throws(Problem) {
        // RFC 9112, 3.2. Whoever reads another one of them than this guard would let in what it refuses.
        guard !request.repeatsHost else {
            throw .badRequest("the request has more than one Host header; send it once")
        }
        guard token == nil else { return }
        guard let named = request.host else {
            throw Problem(403, "Forbidden", "the request names no host; send that of the control URL")
        }
        guard access.accepts(host: named) || named.lowercased() == origin?.authority else {
            throw Problem(
                403, "Forbidden",
                "the request names another machine as its host; use localhost or 127.0.0.1, or start the gateway with a "
                    + "control token")
        }
    }

    private func checkOrigin(_ request: ControlRequest) throws(Problem) {
        guard let origin = request.origin, self.origin?.isSame(as: origin) != true else { return }
        guard let named = request.host, origin.lowercased() == "http://" + named.lowercased() else {
            throw Problem(
                403, "Forbidden",
                "the request comes from a web page of another origin; pages may use the control API only from its own")
        }
    }

    /// A link on another page may open the inspector page, which has no effect and shows that page nothing.
    private func checkSite(_ request: ControlRequest) throws(Problem) {
        guard let site = request.fetchSite, site != "same-origin", site != "none", !isForPage(request) else { return }
        throw Problem(
            403, "Forbidden",
            "the request comes from a web page of another site (Sec-Fetch-Site); pages may use the control API only from "
                + "its own origin")
    }

    private func checkToken(_ request: ControlRequest, _ worldToken: String?) throws(Problem) {
        guard !ControlAPI.withoutToken.contains(request.path), !isForPage(request) else { return }
        if let worldToken {
            guard opens(worldToken, to: request) else {
                throw Problem(
                    401, "Unauthorized",
                    "send the header Authorization: Bearer with the token of this world, or with the control token")
            }
            return
        }
        guard access.accepts(authorization: request.authorization) else {
            throw Problem(
                401, "Unauthorized",
                "send the header Authorization: Bearer with the control token that the gateway was "
                    + "started with")
        }
    }

    /// Whether a request that may use the control API has the token of a world, or the control token, which opens all
    /// worlds. Where there is no control token, nobody has sent it.
    ///
    /// - Parameter worldToken: Nil for a world without a token of its own, which is open to every request.
    func opens(_ worldToken: String?, to request: ControlRequest) -> Bool {
        guard let worldToken else { return true }
        if ControlAccess(host: host, token: worldToken).accepts(authorization: request.authorization) { return true }
        return token != nil && access.accepts(authorization: request.authorization)
    }

    /// The files of the inspector page contain no secret, and a browser cannot send a token with them; the page asks
    /// for it.
    private func isForPage(_ request: ControlRequest) -> Bool {
        guard request.method == "GET" else { return false }
        let parts = request.path.split(separator: "/")
        return parts.isEmpty || parts.count == 2 && (parts[0] == "page" || parts[0] == "w")
    }
}
