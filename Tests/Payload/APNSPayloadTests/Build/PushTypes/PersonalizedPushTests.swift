import APNSModel
import Testing

@testable import APNSPayload

struct PersonalizedPushTests {
    private static let content = AlertPush(Alert(title: "New kettle range", body: "See what fits you"))

    @Test func `the payload is that of the contract, and no rule finds anything`() throws {
        var content = Self.content
        try content.custom.set("spring", for: "campaign")
        let push = try PersonalizedPush(
            content, points: ["notification_landing_recs", "home_hero"],
            context: ["category": "Kettles", "rank": 1, "share": 0.5, "isNew": true],
            link: "https://www.example.com/c/kitchen/kettles?utm_campaign=spring-26#top")
        #expect(
            String(decoding: push.encoded(), as: UTF8.self) == """
                {"aps":{"alert":{"title":"New kettle range","body":"See what fits you"}},"campaign":"spring",\
                "personalization":{"context":{"category":"Kettles","isNew":true,"rank":1,"share":0.5},\
                "link":"https://www.example.com/c/kitchen/kettles?utm_campaign=spring-26#top",\
                "points":["notification_landing_recs","home_hero"]},"type":"PERSONALIZED"}
                """)
        #expect(push.findings().isEmpty, "\(push.findings())")
        #expect(PersonalizedPush.pushType == .alert)
    }

    @Test func `without points the app fetches its landing point`() throws {
        let push = try PersonalizedPush(Self.content)
        #expect(
            push.encoded().count == push.content.encoded().count + #","personalization":{},"type":"PERSONALIZED""#.count
        )
        #expect(push.findings().isEmpty)
    }

    private static func error(
        _ content: AlertPush = content, points: [String] = [], context: [String: PayloadValue] = [:],
        link: String? = nil
    ) -> PersonalizedPushError? {
        #expect(throws: PersonalizedPushError.self) {
            try PersonalizedPush(content, points: points, context: context, link: link)
        }
    }

    @Test func `what an app would ignore is an error`() throws {
        #expect(Self.error(AlertPush(badge: 1)) == .noAlert)
        #expect(
            Self.error(AlertPush(Alert("Hi"), custom: ["type": "ORDER"])) == .reservedKey("type"))
        #expect(Self.error(points: ["a", "b", "a"]) == .repeatedPoint("a"))
        for name in ["", "a b", "ä", String(repeating: "a", count: 81), "a\n"] {
            #expect(Self.error(points: [name]) == .badPoint(name))
            #expect(Self.error(context: [name: "x"]) == .badContextKey(name))
        }
        #expect(throws: Never.self) { try PersonalizedPush(Self.content, points: [String(repeating: "a", count: 80)]) }
        #expect(Self.error(context: ["individualId": "5e1d"]) == .identityKey("individualId"))
        #expect(Self.error(context: ["a": ["b"]]) == .badContextValue("a"))
        #expect(Self.error(context: ["a": ["b": 1]]) == .badContextValue("a"))
    }

    @Test(arguments: [
        ("http://example.com/", "does not begin with https://"), ("shop://kettles", "does not begin with https://"),
        ("https://", "does not begin with https://"), ("https:///a", "has no host"), ("https://:443/", "has no host"),
        ("https://a@example.com/", "has a user before its host"), ("https://example.com/a/../b", "has .. in its path"),
        ("https://example.com/%2E%2e/b", "has .. in its path"), ("https://example.com/..", "has .. in its path"),
        ("https://example.com/%z", "has a % without two hexadecimal digits"),
        ("https://example.com/a b", "has a character that a URL must percent-encode"),
        ("https://example.com\\@evil.example/", "has a character that a URL must percent-encode"),
    ])
    func `a link that an app does not follow is an error`(link: String, problem: String) {
        #expect(Self.error(link: link) == .badLink(problem))
    }

    @Test(arguments: [
        "https://www.example.com", "HTTPS://example.com:8443/a..b/%20c?q=..%zz", "https://[::1]/a", "https://e.com?a@b",
    ])
    func `a link that an app may follow is none`(link: String) {
        #expect(throws: Never.self) { try PersonalizedPush(Self.content, link: link) }
    }

    @Test func `findings have the place to the byte`() throws {
        let payload =
            #"{"aps":{"alert":"é"},"type":"PERSONALIZED","personalization":{"points":["a b"],"link":"http://a"}}"#
        var validator = Validator()
        let findings = validator.findings(for: Envelope(kind: .payload, payload: Array(payload.utf8)))
        let places = findings.map { finding in
            "\(finding.rule) \(finding.pointer ?? "") "
                + (finding.range.map { String(decoding: Array(payload.utf8)[$0], as: UTF8.self) } ?? "")
        }
        #expect(
            places == [
                #"personalized-points /personalization/points/0 "a b""#,
                #"personalized-link /personalization/link "http://a""#,
            ])
    }
}
