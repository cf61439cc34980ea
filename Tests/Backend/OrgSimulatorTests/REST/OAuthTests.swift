import APNSModel
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

struct OAuthTests {
    private var client = OrgClient()

    init() {
        client.org.settings.instanceURL = "https://org.example"
        client.rest.sessions = [:]
    }

    private static func refresh(_ token: String, _ clientID: String = "app") -> [String: String] {
        ["grant_type": "refresh_token", "refresh_token": token, "client_id": clientID]
    }

    private func logIn(_ client: inout OrgClient) -> (access: String, refresh: String) {
        let tokens = client.rest.logIn(.user(1), clientID: "app", &client.org, at: client.now)
        return (tokens.accessToken, tokens.refreshToken ?? "")
    }

    private func status(_ client: inout OrgClient, _ token: String) -> Int {
        client.call("GET", "limits", token: token).status
    }

    @Test func `an access token expires after two hours, and the refresh token returns a new one`() throws {
        var client = client
        let (access, refresh) = logIn(&client)
        client.pass(seconds: 7_199)
        #expect(status(&client, access) == 200)
        client.pass(seconds: 1)
        #expect(client.call("GET", "limits", token: access).code == "INVALID_SESSION_ID")
        let answer = client.post("/services/oauth2/token", form: Self.refresh(refresh))
        #expect(answer.status == 200)
        #expect(answer["token_type"] == "Bearer")
        #expect(answer["instance_url"] == "https://org.example")
        #expect(answer["issued_at"] == .string(String(client.now.millisecondsSince1970)))
        #expect(answer["refresh_token"] == nil)
        #expect(answer["id"]?.string?.hasSuffix(RecordID.user(1).description) == true)
        let new = try #require(answer["access_token"]?.string)
        #expect(new != access)
        #expect(status(&client, new) == 200)
        #expect(status(&client, access) == 401)
    }

    @Test func `with rotation each refresh token is valid once`() throws {
        var client = client
        client.org.settings.rotatesRefreshTokens = true
        let (_, refresh) = logIn(&client)
        let second = try #require(
            client.post("/services/oauth2/token", form: Self.refresh(refresh))["refresh_token"]?.string)
        #expect(client.post("/services/oauth2/token", form: Self.refresh(refresh))["error"] == "invalid_grant")
        #expect(client.post("/services/oauth2/token", form: Self.refresh(second)).status == 200)
    }

    @Test func `revoking a log-in ends all its sessions and no others`() {
        var client = client
        let (access, refresh) = logIn(&client)
        let (other, _) = logIn(&client)
        #expect(client.post("/services/oauth2/revoke", form: ["token": refresh]).status == 200)
        let answer = client.post("/services/oauth2/token", form: Self.refresh(refresh))
        #expect(answer.status == 400)
        #expect(
            answer.response.text
                == #"{"error":"invalid_grant","error_description":"expired access/refresh token"}"#)
        #expect(status(&client, access) == 401)
        #expect(status(&client, other) == 200)
    }

    @Test(arguments: [
        ([:], "invalid_request"), (["grant_type": "password"], "unsupported_grant_type"),
        (["grant_type": "refresh_token"], "invalid_request"),
        (["grant_type": "refresh_token", "refresh_token": "x"], "invalid_client_id"),
        (["grant_type": "refresh_token", "refresh_token": "x", "client_id": "app"], "invalid_grant"),
        (["grant_type": "refresh_token", "refresh_token": "REFRESH", "client_id": "else"], "invalid_grant"),
    ])
    func `an invalid token request has the matching error`(form: [String: String], error: String) {
        var client = client
        let (_, refresh) = logIn(&client)
        let answer = client.post(
            "/services/oauth2/token", form: form.mapValues { $0 == "REFRESH" ? refresh : $0 })
        #expect(answer.status == 400)
        #expect(answer["error"] == .string(error))
    }

    @Test func `an app with a secret has to send it, and an unknown client gets nothing`() throws {
        var client = client
        var app = OrgApp("Agent", bundleID: try #require(Topic("com.example.agent")), clientID: "app")
        app.clientSecret = "hush"
        client.org.apps["Agent"] = app
        let (_, refresh) = logIn(&client)
        var form = Self.refresh(refresh)
        #expect(client.post("/services/oauth2/token", form: form)["error"] == "invalid_client")
        form["client_secret"] = "hush"
        #expect(client.post("/services/oauth2/token", form: form).status == 200)
        form["client_id"] = "nobody"
        #expect(client.post("/services/oauth2/token", form: form)["error"] == "invalid_client_id")
    }

    @Test func `a token request by GET or as JSON is refused`() {
        var client = client
        #expect(client.call("GET", "/services/oauth2/token").status == 405)
        #expect(client.call("POST", "/services/oauth2/token", ["grant_type": "refresh_token"]).status == 400)
    }

    @Test func `the number of sessions is bounded`() {
        var client = client
        var first: [String] = []
        var last = ""
        for number in 0..<10_100 {
            client.pass(seconds: 1)
            last = logIn(&client).refresh
            if number < 3 { first.append(last) }
        }
        let counts = client.org.access.description.split(separator: " ").compactMap { Int($0) }
        #expect(counts.count == 2 && counts.allSatisfy { $0 <= 10_000 })
        let status = [first[0], last].map { client.post("/services/oauth2/token", form: Self.refresh($0)).status }
        #expect(status == [400, 200])
    }

    @Test func `no token shows in a description`() {
        var client = client
        let tokens = client.rest.logIn(.user(1), clientID: "app", &client.org, at: client.now)
        let refresh = tokens.refreshToken ?? "?"
        var dumped = ""
        dump(client.org.access, to: &dumped)
        dump(tokens, to: &dumped)
        for text in ["\(tokens)", "\(client.org.access)", dumped, client.org.log.entries().description] {
            #expect(!text.contains(tokens.accessToken) && !text.contains(refresh))
        }
    }
}
