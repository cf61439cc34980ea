import APNSModel
package import PushDispatch
package import SelectiveSync
import ServiceHost

/// Token refresh and log-out (docs/reference/selective-sync.md 6.7).
extension OrgREST {
    func refresh(
        _ request: ServiceRequest, _ org: inout Org, _ now: ServerDate
    ) -> ServiceResponse {
        guard request.method == "POST" else { return .refusal(.method(request.method, allowed: "POST")) }
        guard isForm(request) else {
            return failure("invalid_request", "the body has to be application/x-www-form-urlencoded")
        }
        guard let grantType = request.formParameter("grant_type") else {
            return failure("invalid_request", "grant_type is missing")
        }
        guard grantType == "refresh_token" else { return failure("unsupported_grant_type", "grant type not supported") }
        guard let refreshToken = request.formParameter("refresh_token") else {
            return failure("invalid_request", "refresh_token is missing")
        }
        guard let clientID = request.formParameter("client_id") else {
            return failure("invalid_client_id", "client identifier missing")
        }
        let app = org.apps.values.first { $0.clientID == clientID }
        guard org.apps.isEmpty || app != nil else { return failure("invalid_client_id", "client identifier invalid") }
        if let secret = app?.clientSecret, secret != request.formParameter("client_secret") {
            return failure("invalid_client", "invalid client credentials")
        }
        let tokens = org.access.refresh(
            refreshToken, clientID: clientID, rotates: org.settings.rotatesRefreshTokens,
            lifetime: org.settings.accessTokenLifetime, at: now, makeToken)
        guard let tokens else { return failure("invalid_grant", "expired access/refresh token") }
        org.log.add("TOKEN_REFRESHED", ["user": .string(tokens.user.description)], at: now)
        return .json(OrgREST.members(tokens, instance: instance(request, org), at: now))
    }

    private func instance(_ request: ServiceRequest, _ org: Org) -> String {
        org.settings.instanceURL.isEmpty
            ? "http://\(request.headers["host"] ?? "localhost")" : org.settings.instanceURL
    }

    /// Logs a user in like the log-in page: returns a new refresh token and a first access token.
    package func logIn(
        _ user: RecordID, clientID: String, _ org: inout Org, at now: ServerDate
    ) -> OrgAccess.Tokens {
        org.access.logIn(user, clientID: clientID, lifetime: org.settings.accessTokenLifetime, at: now, makeToken)
    }

    private static func members(
        _ tokens: OrgAccess.Tokens, instance: String, at now: ServerDate
    ) -> [(key: String, value: JSONValue)] {
        var members: [(key: String, value: JSONValue)] = [("access_token", .string(tokens.accessToken))]
        if let token = tokens.refreshToken { members.append(("refresh_token", .string(token))) }
        let time = UInt64(bitPattern: now.millisecondsSince1970)
        // A placeholder, not a real signature: only the platform could verify one.
        let signature = String(SeededGenerator.mix(time), radix: 36)
        members += [
            ("instance_url", .string(instance)),
            ("id", .string("\(instance)/id/00Dxx0000000001EAA/\(tokens.user)")),
            ("issued_at", .string(String(now.millisecondsSince1970))), ("signature", .string(signature)),
            ("token_type", "Bearer"), ("scope", "refresh_token api"),
        ]
        return members
    }

    /// Logs out: revokes the refresh token and all access tokens made from it.
    func revoke(_ request: ServiceRequest, _ org: inout Org) -> ServiceResponse {
        guard request.method == "POST" else { return .refusal(.method(request.method, allowed: "POST")) }
        guard isForm(request), let token = request.formParameter("token") else {
            return failure("invalid_request", "a form with the parameter token is wanted")
        }
        org.access.revoke(token)
        return .emptyObject
    }

    private func isForm(_ request: ServiceRequest) -> Bool {
        let kind = (request.headers["content-type"] ?? "").split(separator: ";").first ?? ""
        return kind.lowercased() == "application/x-www-form-urlencoded"
    }

    private func failure(_ error: String, _ description: String) -> ServiceResponse {
        .json([("error", .string(error)), ("error_description", .string(description))], status: 400)
    }
}
