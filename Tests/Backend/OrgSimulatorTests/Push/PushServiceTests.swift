import APNSModel
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

/// Device registry, push calls and the resulting notifications.
struct PushServiceTests {
    private static let token = String(repeating: "a1", count: 32)
    private static let bundle = "com.example.agent"
    private var client = OrgClient()

    init() throws {
        var app = OrgApp("Agent", bundleID: try #require(Topic(Self.bundle)))
        (app.keyID, app.teamID) = ("ABC123DEFG", "ABCDE12345")
        client.org.apps["Agent"] = app
    }

    private static func device(_ token: String = token, _ service: String = "Apple") -> JSONValue {
        ["ConnectionToken": .string(token), "ServiceType": .string(service), "ApplicationBundle": .string(bundle)]
    }

    private static let path = "sobjects/MobilePushServiceDevice"

    private func push(_ user: RecordID, _ payload: String = #"{"aps":{"content-available":1},"type":"X"}"#)
        -> JSONValue
    {
        ["appName": "Agent", "userIds": [.string(user.description)], "payload": .string(payload)]
    }

    private static func events(_ client: OrgClient) -> [String] { client.org.log.entries().map(\.event) }

    /// The notifications for a call of the push resource.
    private func sent(_ client: inout OrgClient, _ body: JSONValue) -> [OrgNotification] {
        let answer = client.call("POST", "connect/notifications/push", body)
        #expect(answer.status == 200, "\(answer.response.text)")
        return client.org.send(answer.pushes, at: client.now)
    }

    // MARK: The registry

    @Test func `only its user can query, read and delete a device`() throws {
        var client = client
        let created = client.call("POST", Self.path, Self.device())
        #expect(created.status == 201)
        #expect(created["success"] == true && created["errors"] == [])
        let id = try #require(created["id"]?.string)
        let query = "SELECT Id, ConnectionToken, ServiceType, ApplicationBundle FROM MobilePushServiceDevice"
        let found = client.query(query)
        #expect(found["totalSize"] == 1)
        #expect(found.values("Id") == [.string(id)])
        #expect(found.values("ConnectionToken") == [.string(Self.token)])
        #expect(client.query(query, token: "other")["totalSize"] == 0)
        #expect(client.call("GET", "\(Self.path)/\(id)")["ApplicationBundle"] == .string(Self.bundle))
        #expect(client.call("DELETE", "\(Self.path)/\(id)", token: "other").status == 404)
        #expect(client.call("DELETE", "\(Self.path)/\(id)").status == 204)
        #expect(client.call("DELETE", "\(Self.path)/\(id)").code == "NOT_FOUND")
    }

    @Test func `a repeated registration updates the entry, and another user gets a separate one`() {
        var client = client
        let first = client.call("POST", Self.path, Self.device(Self.token.uppercased()))["id"]
        client.pass(seconds: 60)
        #expect(client.call("POST", Self.path, Self.device())["id"] == first)
        #expect(client.call("POST", Self.path, Self.device(), token: "other")["id"] != first)
        #expect(client.org.devices.count == 2)
        #expect(client.org.devices(of: .user(1)).first?.registered == client.now)
    }

    @Test(
        arguments: [
            ([:], "REQUIRED_FIELD_MISSING"), (["ConnectionToken": "ab"], "REQUIRED_FIELD_MISSING"),
            (["ConnectionToken": "xyz", "ServiceType": "Apple", "ApplicationBundle": "a"], "INVALID_TYPE"),
            (["ConnectionToken": "ab", "ServiceType": "Nokia", "ApplicationBundle": "a"], "INVALID_TYPE"),
            (["ConnectionToken": 7, "ServiceType": "Apple", "ApplicationBundle": "a"], "INVALID_TYPE"),
            (["ConnectionToken": "ab", "Nope": "a"], "INVALID_FIELD"),
        ] as [(JSONValue, String)])
    func `an invalid registration is refused`(body: JSONValue, code: String) {
        var client = client
        let answer = client.call("POST", Self.path, body)
        #expect(answer.status == 400 && answer.code == code, "\(answer.response.text)")
    }

    @Test func `the number of devices of a user is bounded`() {
        var client = client
        for number in 0..<100 {
            let token = String(number + 1_000)
            #expect(client.call("POST", Self.path, Self.device(token)).status == 201)
        }
        #expect(client.call("POST", Self.path, Self.device("abcd")).code == "STORAGE_LIMIT_EXCEEDED")
    }

    // MARK: Sending

    @Test func `a push goes to every device of its user, silent or visible like its payload`() {
        var client = client
        client.call("POST", Self.path, Self.device())
        client.call("POST", Self.path, Self.device("bb22"))
        client.call("POST", Self.path, Self.device("cc33", "androidGcm"))
        client.call("POST", Self.path, Self.device("dd44"), token: "other")
        let silent = sent(&client, push(.user(1)))
        #expect(silent.map(\.deviceToken.hex) == [Self.token, "bb22"])
        #expect(silent.allSatisfy { $0.isSilent && $0.type == "X" && $0.topic.value == Self.bundle })
        #expect(silent.first?.notification.pushType == .background)
        #expect(silent.first?.notification.priority == .powerConsiderate)
        let seen = sent(&client, push(.user(1), #"{"aps":{"alert":"Test Push Notification"},"type":"TEST"}"#))
        #expect(seen.first?.notification.pushType == .alert)
        #expect(seen.first?.notification.priority == .immediate)
        #expect(Self.events(client).count { $0 == "PUSH_NOTIFICATION_SENT" } == 4)
        #expect(!client.org.log.entries().description.contains(Self.token))
    }

    @Test func `a sent push is logged with namespace, app, service, user and device`() throws {
        var client = client
        client.org.apps["Agent"]?.namespace = "acme"
        client.call("POST", Self.path, Self.device())
        var body = try #require(push(.user(1)).object)
        body["namespace"] = "acme"
        #expect(sent(&client, .object(body)).count == 1)
        let entry = try #require(client.org.log.entries().last { $0.event == "PUSH_NOTIFICATION_SENT" })
        let said: [String: JSONValue] = [
            "namespace": "acme", "app": "Agent", "service": "Apple", "user": .string(RecordID.user(1).description),
            "device": "a1a1…a1a1", "payload": #"{"aps":{"content-available":1},"type":"X"}"#, "type": "X",
        ]
        #expect(entry.members == said)
    }

    @Test func `a push that cannot be sent is logged with the platform's event, and the call succeeds`() throws {
        var client = client
        #expect(sent(&client, push(.user(1))).isEmpty)
        client.call("POST", Self.path, Self.device())
        let long = #"{"aps":{"content-available":1},"x":"\#(String(repeating: "x", count: 4_096))"}"#
        #expect(sent(&client, push(.user(1), long)).isEmpty)
        client.org.apps["Agent"]?.keyID = nil
        #expect(sent(&client, push(.user(1))).isEmpty)
        client.org.apps["Agent"]?.isPushEnabled = false
        #expect(sent(&client, push(.user(1))).isEmpty)
        client.org.settings.isPushEnabled = false
        #expect(sent(&client, push(.user(1))).isEmpty)
        #expect(
            Self.events(client).filter { $0.hasPrefix("PUSH_") } == [
                "PUSH_NOTIFICATION_NO_DEVICES", "PUSH_NOTIFICATION_INVALID_NOTIFICATION",
                "PUSH_NOTIFICATION_INVALID_CERTIFICATE", "PUSH_NOTIFICATION_INVALID_APP",
                "PUSH_NOTIFICATION_NOT_ENABLED",
            ])
    }

    @Test func `above the hourly limit nothing is sent until the hour ends`() {
        var client = client
        client.org.settings.pushesPerHour = 3
        client.call("POST", Self.path, Self.device())
        client.call("POST", Self.path, Self.device("bb22"))
        #expect(sent(&client, push(.user(1))).count == 2)
        #expect(sent(&client, push(.user(1))).count == 1)
        #expect(sent(&client, push(.user(1))).isEmpty)
        #expect(Self.events(client).filter { $0 == "PUSH_HOURLY_LIMIT_REACHED" }.count == 2)
        // 628 seconds after 20:49:32 the clock hour ends; the limit does not count from the first push.
        client.pass(seconds: 627)
        #expect(sent(&client, push(.user(1))).isEmpty)
        client.pass(seconds: 1)
        #expect(sent(&client, push(.user(1))).count == 2)
    }

    @Test func `one call reaches 2,000 devices and no more`() throws {
        var client = client
        var users: [JSONValue] = []
        for number in 0..<21 {
            let user = try #require(RecordID("005xx00000000" + String(number + 10)))
            users.append(.string(user.description))
            for device in 0..<100 where number < 20 || device < 1 {
                _ = try client.org.register(
                    String(1_000 + device), bundleID: Self.bundle, for: user, at: client.now)
            }
        }
        let body: (Int) -> JSONValue = { count in
            ["appName": "Agent", "userIds": .array(Array(users.prefix(count))), "payload": "{}"]
        }
        #expect(client.call("POST", "connect/notifications/push", body(20)).status == 200)
        #expect(client.call("POST", "connect/notifications/push", body(21)).code == "LIMIT_EXCEEDED")
    }

    @Test(
        arguments: [
            (["appName": "Nope", "userIds": ["005xx0000000001"], "payload": "{}"], 404),
            (["appName": "Agent", "namespace": "x", "userIds": ["005xx0000000001"], "payload": "{}"], 404),
            (["appName": "Agent", "userIds": [], "payload": "{}"], 400),
            (["appName": "Agent", "userIds": ["nobody"], "payload": "{}"], 400),
            (["appName": "Agent", "userIds": ["005xx0000000001"], "payload": ["aps": [:]]], 400),
            (["appName": "Agent", "userIds": ["005xx0000000001"], "payload": "{'aps':{}}"], 400),
            (["appName": "Agent", "userIds": ["005xx0000000001"]], 400), ([:], 400),
        ] as [(JSONValue, Int)])
    func `an invalid push call is refused`(body: JSONValue, status: Int) {
        var client = client
        #expect(client.call("POST", "connect/notifications/push", body).status == status)
    }

    @Test func `a dead device token leaves the registry, unless it was registered after it died`() throws {
        var client = client
        client.call("POST", Self.path, Self.device())
        client.call("POST", Self.path, Self.device(), token: "other")
        let notification = try #require(sent(&client, push(.user(1))).first)
        client.pass(seconds: 60)
        client.call("POST", Self.path, Self.device(), token: "other")
        client.org.answered(
            notification, OrgAnswer(status: 410, detail: "Unregistered", timestamp: .start.after(seconds: 30)),
            at: client.now)
        #expect(client.org.devices(of: .user(1)).isEmpty)
        #expect(client.org.devices(of: .user(2)).count == 1)
        #expect(Self.events(client).suffix(2) == ["GATEWAY_REFUSED", "DEVICE_REMOVED"])
        client.org.answered(notification, OrgAnswer(status: 400, detail: "BadDeviceToken"), at: client.now)
        #expect(client.org.devices(of: .user(2)).count == 1)
    }

    @Test func `the device that made a change is left out if the trigger excludes it`() throws {
        var account = OrgObject.account
        account.trigger?.excludesSource = true
        var client = OrgClient(Org(objects: [account]))
        client.org.apps = self.client.org.apps
        let id = try client.create()
        var tokens: [String] = []
        for device in ["aa11", "bb22"] {
            let token = client.rest.logIn(.user(1), clientID: "Agent", &client.org, at: client.now).accessToken
            tokens.append(token)
            #expect(client.call("POST", Self.path, Self.device(device), token: token).status == 201)
        }
        let answer = client.call("PATCH", "sobjects/Account/\(id)", ["Name": "B"], token: tokens[0])
        #expect(client.org.send(answer.pushes, at: client.now).map(\.deviceToken.hex) == ["bb22"])
        // A change in a browser is sent to both.
        let pushes = try client.org.update(id, ["Name": "C"], by: .user(1), at: client.now)
        #expect(client.org.send(pushes, at: client.now).count == 2)
    }

    @Test func `the list of notification types is empty`() {
        var client = client
        #expect(client.call("GET", "connect/notifications/types").response.text == #"{"notificationTypes":[]}"#)
    }
}
