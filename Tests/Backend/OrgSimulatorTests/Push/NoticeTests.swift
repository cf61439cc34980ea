import APNSModel
import Foundation
import NoticeEncryption
import OrgSimulator
import PushDispatch
import SelectiveSync
import Testing
import ServiceHost

/// In-app notices with their types, actions and pushes (docs/reference/selective-sync.md 4.5).
struct NoticeTests {
    private static let document = """
        users: [{name: ada, id: 005xx0000000001, access-token: good}, {name: bob, id: 005xx0000000002}]
        apps: [{name: Agent, bundle: com.example.agent, key-id: ABC123DEFG, team-id: ABCDE12345}]
        notice-types:
          - name: Visit_Planned
            label: Visit planned
            app: Agent
            action-groups:
              - name: visit
                actions:
                  - {name: accept, label: Accept, message: The visit is accepted.}
                  - {name: show, label: Show, type: OpenRecord}
          - name: Plain
        """
    private var client: OrgClient

    init() throws {
        let document = OrgDocument(Array(Self.document.utf8), name: "org.yaml", at: .start)
        #expect(document.errors.isEmpty, "\(document.errors)")
        client = OrgClient(document.org)
    }

    private static func inputs(_ recipients: [RecordID] = [.user(1)], _ more: [String: JSONValue] = [:]) -> JSONValue {
        var input: [String: JSONValue] = [
            "customNotifTypeId": "Visit_Planned", "recipientIds": .array(recipients.map { .string("\($0)") }),
            "title": "Visit", "body": "At noon", "targetId": "001xx000003DGb2AAG",
        ]
        input.merge(more) { _, new in new }
        return ["inputs": [.object(input)]]
    }

    private static let action = "actions/standard/customNotificationAction"

    /// Makes one notice for user 1 each minute.
    private func filled(_ count: Int) -> (OrgClient, ids: [String]) {
        var client = client
        for number in 0..<count {
            let body: JSONValue = .string("body \(number)")
            #expect(client.call("POST", Self.action, Self.inputs([.user(1)], ["body": body])).status == 200)
            client.pass(seconds: 60)
        }
        return (client, client.org.notices(of: .user(1)).map(\.id))
    }

    private func list(_ client: inout OrgClient, _ query: [String: String] = [:]) -> [String] {
        client.call("GET", "connect/notifications", query: query)["notifications"]?.array?
            .compactMap { $0.object?["id"]?.string } ?? []
    }

    @Test func `an action makes a notice for each recipient and a push for each device`() throws {
        var client = client
        let token = String(repeating: "a1", count: 32)
        _ = try client.org.register(token, bundleID: "com.example.agent", for: .user(1), at: client.now)
        let answer = client.call("POST", Self.action, Self.inputs([.user(1), .user(2), .user(1)]))
        #expect(answer.json.array?.map { $0.object?["isSuccess"] } == [true])
        #expect(client.org.notices(of: .user(1)).count == 1 && client.org.notices(of: .user(2)).count == 1)
        let sent = client.org.send(answer.pushes, at: client.now)
        #expect(sent.map(\.user) == [.user(1)] && sent.first?.isSilent == false)
        let notice = try #require(client.org.notices(of: .user(1)).first)
        #expect(
            sent.map { String(decoding: $0.payload, as: UTF8.self) } == [
                #"{"aps":{"alert":{"body":"At noon","title":"Visit"},"badge":1,"category":"visit","#
                    + #""mutable-content":1,"sound":"default"},"nid":"\#(notice.id)","notifType":"Visit_Planned","#
                    + #""oid":"00Dxx0000000001EAA","rid":"001xx000003DGb2AAG","timestamp":1779310172,"type":-1,"#
                    + #""uid":"005xx0000000001AAA"}"#
            ])
    }

    /// Registers a device over REST and returns its payload of one notice.
    private func sent(
        registering more: [String: JSONValue], body: String = "At noon"
    ) -> (OrgClient, sent: [OrgNotification]) {
        var client = client
        let device: JSONValue = .object(
            [
                "ConnectionToken": .string(String(repeating: "a1", count: 32)), "ServiceType": "Apple",
                "ApplicationBundle": "com.example.agent",
            ].merging(more) { _, new in new })
        #expect(client.call("POST", "sobjects/MobilePushServiceDevice", device).status == 201)
        let answer = client.call("POST", Self.action, Self.inputs([.user(1)], ["body": .string(body)]))
        let sent = client.org.send(answer.pushes, at: client.now)
        return (client, sent)
    }

    @Test(arguments: [nil, "RSA_OAEP_SHA256"] as [JSONValue?])
    func `a device that registered a key gets the notice encrypted, and opens it`(cipher: JSONValue?) throws {
        let key = try #require(NoticePrivateKey())
        var fields: [String: JSONValue] = ["RsaPublicKey": .string(key.publicKey)]
        fields["CipherName"] = cipher
        let (client, sent) = sent(registering: fields)
        let payload = try #require(sent.first?.payload)
        let push = Push(json: Data(payload))
        #expect(
            push["aps"] == [
                "alert": ["body": "Open the app to read it.", "title": "Visit planned"], "badge": 1,
                "category": "visit", "mutable-content": 1, "sound": "default",
            ])
        #expect(Set(push.payload.keys) == ["aps", "encrypted", "secret", "content"])
        let opened = try push.decryptedNotice(with: key)
        #expect(opened["aps"]?.object?["alert"] == ["title": "Visit", "body": "At noon"])
        #expect(opened["nid"]?.string == client.org.notices(of: .user(1)).first?.id && opened["badge"] == 1)
        // The log contains neither the texts nor the record.
        let log = "\(client.org.log.entries().filter { $0.event == "PUSH_NOTIFICATION_SENT" })"
        #expect(log.contains("Visit planned") && !log.contains("At noon") && !log.contains("001xx000003DGb2AAG"))
        // The secret has the padding that the device requested.
        let secret = try #require(Data(base64Encoded: push["secret"]?.string ?? ""))
        let padding: NoticePadding = cipher == nil ? .pkcs1 : .oaepSHA256
        #expect(key.decryptSecret(secret, padding: padding)?.count == 32)
    }

    @Test func `a notice that is too long once encrypted is logged and never sent in clear`() throws {
        let key = try #require(NoticePrivateKey())
        let body = String(repeating: "\u{1f4c5}", count: 750)
        let (plain, toAll) = sent(registering: [:], body: body)
        #expect(toAll.count == 1 && plain.org.log.entries().last?.event == "PUSH_NOTIFICATION_SENT")
        let (client, sent) = sent(registering: ["RsaPublicKey": .string(key.publicKey)], body: body)
        #expect(sent.isEmpty)
        let entry = try #require(client.org.log.entries().last)
        #expect(entry.event == "PUSH_NOTIFICATION_INVALID_NOTIFICATION")
    }

    @Test(
        arguments: [
            ("RsaPublicKey", "AAAA"), ("RsaPublicKey", "not base64"), ("CipherName", "RSA_OAEP_SHA1"),
        ] as [(String, JSONValue)])
    func `an unusable key is refused at registration`(field: String, value: JSONValue) {
        var client = client
        let answer = client.call(
            "POST", "sobjects/MobilePushServiceDevice",
            [
                "ConnectionToken": .string(String(repeating: "a1", count: 32)), "ServiceType": "Apple",
                "ApplicationBundle": "com.example.agent", field: value,
            ])
        #expect(answer.status == 400 && answer.code == "INVALID_TYPE")
        #expect(client.org.devices(of: .user(1)).isEmpty)
    }

    @Test func `above the hourly limit no push is sent, but the notices exist`() throws {
        var client = client
        client.org.settings.pushesPerHour = 1
        let token = String(repeating: "a1", count: 32)
        _ = try client.org.register(token, bundleID: "com.example.agent", for: .user(1), at: client.now)
        for count in [1, 0] {
            let answer = client.call("POST", Self.action, Self.inputs())
            #expect(client.org.send(answer.pushes, at: client.now).count == count)
        }
        #expect(client.org.notices(of: .user(1)).count == 2)
        #expect(client.org.log.entries().last?.event == "PUSH_HOURLY_LIMIT_REACHED")
    }

    @Test func `an action accepts 500 recipients, and one more fails all inputs`() {
        var client = client
        let users = (0..<501).compactMap { RecordID("005xx0000001" + String(1_000 + $0).suffix(3)) }
        #expect(Set(users).count == 501)
        let first = Self.inputs().object?["inputs"]?.array?.first ?? .null
        let many = Self.inputs(users).object?["inputs"]?.array?.first ?? .null
        #expect(client.call("POST", Self.action, ["inputs": .array([first, many])]).code == "LIMIT_EXCEEDED")
        #expect(client.org.notices(of: .user(1)).isEmpty)
        #expect(client.call("POST", Self.action, Self.inputs(Array(users.dropLast()))).status == 200)
        #expect(users.filter { client.org.notices(of: $0).isEmpty } == [users[500]])
    }

    @Test(
        arguments: [
            (["customNotifTypeId": "Nope"], "INVALID_TYPE"), (["recipientIds": []], "JSON_PARSER_ERROR"),
            (["recipientIds": ["x"]], "MALFORMED_ID"), (["recipientIds": [7]], "MALFORMED_ID"),
            (["title": ""], "JSON_PARSER_ERROR"), (["body": 7], "JSON_PARSER_ERROR"),
            (["targetId": "x"], "MALFORMED_ID"),
            (["title": .string(String(repeating: "t", count: 251))], "STRING_TOO_LONG"),
            (["body": .string(String(repeating: "t", count: 751))], "STRING_TOO_LONG"),
        ] as [([String: JSONValue], String)])
    func `an invalid action makes no notice`(input: [String: JSONValue], code: String) {
        var client = client
        #expect(client.call("POST", Self.action, Self.inputs([.user(1)], input)).code == code)
        #expect(client.org.notices(of: .user(1)).isEmpty)
    }

    @Test func `a user's notices are listed newest first, 10 by default and at most 50`() {
        let (start, ids) = filled(12)
        var client = start
        #expect(list(&client) == Array(ids.prefix(10)))
        #expect(list(&client, ["size": "50"]) == ids)
        #expect(list(&client, ["size": "1"]) == [ids[0]])
        for size in ["0", "51", "x", "-1"] {
            let answer = client.call("GET", "connect/notifications", query: ["size": size])
            #expect(answer.code == "JSON_PARSER_ERROR")
        }
        #expect(client.call("GET", "connect/notifications", token: "other")["notifications"] == [])
        // Between the third and the sixth from the start.
        let query = ["after": ServerDate.start.after(seconds: 120).description, "before": "2026-05-20T20:54:32Z"]
        #expect(list(&client, query) == [ids[7], ids[8]])
        #expect(client.call("GET", "connect/notifications", query: ["after": "today"]).code == "INVALID_TYPE")
    }

    @Test func `long texts are shortened on request`() {
        var client = client
        let long: JSONValue = .string(String(repeating: "x", count: 200))
        client.call("POST", Self.action, Self.inputs([.user(1)], ["title": long, "body": long]))
        func lengths(_ query: [String: String]) -> [Int?] {
            let notice = client.call("GET", "connect/notifications", query: query)["notifications"]?.array?.first
            return ["messageTitle", "messageBody"].map { notice?.object?[$0]?.string?.count }
        }
        #expect(lengths([:]) == [200, 200])
        #expect(lengths(["trimMessages": "true"]) == [40, 120])
        #expect(lengths(["trimMessages": "false"]) == [200, 200])
        let answer = client.call("GET", "connect/notifications", query: ["trimMessages": "yes"])
        #expect(answer.code == "INVALID_TYPE")
    }

    @Test func `only its user can read and mark a notice`() {
        let (start, ids) = filled(1)
        var client = start
        let path = "connect/notifications/\(ids[0])"
        #expect(client.call("GET", path)["read"] == false)
        #expect(client.call("GET", path)["target"] == "001xx000003DGb2AAG")
        #expect(client.call("GET", path, token: "other").code == "NOT_FOUND")
        #expect(client.call("PATCH", path, ["read": true], token: "other").code == "NOT_FOUND")
        let seen = client.call("PATCH", path, ["seen": true])
        #expect(seen["seen"] == true && seen["read"] == false)
        #expect(seen["lastModified"] != seen["mostRecentActivityDate"])
        let read = client.call("PATCH", path, ["read": true])
        #expect(read["seen"] == true && read["read"] == true)
        #expect(client.call("PATCH", path, ["read": false])["read"] == false)
        for body: JSONValue in [[:], ["read": "yes"], ["seen": 7]] {
            #expect(client.call("PATCH", path, body).status == 400)
        }
    }

    @Test func `several notices are marked by id or date, and the status counts them`() {
        let (start, ids) = filled(4)
        var client = start
        func status() -> [JSONValue?] {
            let answer = client.call("GET", "connect/notifications/status")
            return ["unreadCount", "unseenCount", "oldestUnread", "oldestUnseen", "lastActivity"].map { answer[$0] }
        }
        let dates: [JSONValue] = (0..<4).map { .string(ServerDate.start.after(seconds: 60 * Int64($0)).description) }
        #expect(status() == [4, 4, dates[0], dates[0], dates[3]])
        let path = "connect/notifications"
        let byID = client.call("PATCH", path, ["notificationIds": [.string(ids[0]), .string(ids[3])], "read": true])
        #expect(byID["notifications"]?.array?.map { $0.object?["id"]?.string } == [ids[0], ids[3]])
        #expect(status() == [2, 2, dates[1], dates[1], dates[3]])
        client.call("PATCH", path, ["before": dates[2], "seen": true])
        #expect(status() == [2, 1, dates[1], dates[2], dates[3]])
        let many = JSONValue.array(Array(repeating: .string(ids[0]), count: 51))
        for body: JSONValue in [
            ["read": true], ["before": dates[2], "notificationIds": [.string(ids[0])], "read": true],
            ["notificationIds": [], "read": true], ["notificationIds": many, "read": true],
            ["notificationIds": [7], "read": true], ["before": "today", "read": true],
            ["notificationIds": [.string(ids[0])]],
        ] { #expect(client.call("PATCH", path, body).status == 400, "\(body)") }
        #expect(client.call("PATCH", path, ["notificationIds": ["none"], "read": true]).code == "NOT_FOUND")
        #expect(status() == [2, 1, dates[1], dates[2], dates[3]])
        #expect(client.call("GET", "\(path)/status", token: "other")["lastActivity"] == .null)
    }

    @Test func `types and actions are available from v64`() {
        let (start, ids) = filled(1)
        var client = start
        let types = client.call("GET", "connect/notifications/types")["notificationTypes"]?.array ?? []
        #expect(types.compactMap { NotificationType($0)?.apiName } == ["Plain", "Visit_Planned"])
        let actions = types.compactMap { NotificationType($0) }.flatMap(\.actionGroups).flatMap(\.actions)
        #expect(actions.map(\.type) == ["NotificationApiAction", "OpenRecord"])
        let path = "connect/notifications/\(ids[0])/actions"
        #expect(client.call("POST", "\(path)/accept", [:]).json == ["message": "The visit is accepted."])
        #expect(client.call("POST", "\(path)/show", [:]).json == ["message": "Show: done"])
        #expect(client.org.notices(of: .user(1)).first?.isRead == true)
        #expect(client.org.log.entries().last?.members["action"] == "show")
        #expect(client.call("POST", "\(path)/nope", [:]).code == "NOT_FOUND")
        #expect(client.call("POST", "\(path)/accept", [:], token: "other").code == "NOT_FOUND")
        #expect(client.call("GET", "\(path)/accept").status == 405)
        for old in ["types", "\(ids[0])/actions/accept"] {
            let method = old == "types" ? "GET" : "POST"
            let answer = client.call(
                method, "/services/data/v63.0/connect/notifications/\(old)", method == "GET" ? nil : [:])
            #expect(answer.code == "NOT_FOUND")
        }
        #expect(client.call("GET", "/services/data/v63.0/connect/notifications/status")["unreadCount"] == 0)
    }

    @Test func `the newest thousand notices of a user are kept`() throws {
        var org = client.org
        let type = try #require(org.noticeTypes["Plain"])
        for number in 0...Org.maximumNoticesPerUser {
            _ = try org.notify(
                type, title: "\(number)", body: "b", target: nil, recipients: [.user(1)], at: .start)
        }
        #expect(org.notices(of: .user(1)).count == 1_000)
        #expect(org.notices(of: .user(1)).last?.title == "1")
    }

    @Test func `a client reads the types over HTTP and makes categories from them`() async throws {
        let document = OrgDocument(Array(Self.document.utf8), name: "org.yaml", at: .start)
        let server = try await OrgServer.start(OrgWorld(document.org, rest: OrgREST()), OrgServer.Options())
        let url = try #require(URL(string: server.url))
        let session = ServerSession(instance: url, accessToken: "good")
        let types = try await RESTClient { _ in session }.notificationTypes()
        let categories = NotificationCategory.categories(of: types)
        #expect(categories.map(\.identifier) == ["visit"])
        #expect(categories.first?.actions.map(\.needsUnlockedDevice) == [true, false])
        await #expect {
            try await RESTClient(version: "v63.0") { _ in session }.notificationTypes()
        } throws: {
            ($0 as? FetchError)?.code == .badRequest
        }
        await server.stop()
    }
}
