import APNSModel
import APNSPayload
import Foundation
import Testing

struct EncodablePayloadTests {
    private struct Order: Codable, Hashable {
        var number: Int
        var lines: [String]
        var total: Double?
        var placed: Date?
    }

    private struct Payload: Encodable {
        struct APS: Encodable {
            enum CodingKeys: String, CodingKey {
                case alert
                case contentAvailable = "content-available"
            }

            var alert: String?
            var contentAvailable: Int?
        }

        var aps: APS
        var order: Order?
    }

    private struct Nulls: Encodable {
        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encodeNil(forKey: .order)
        }

        private enum CodingKeys: String, CodingKey { case order }
    }

    private let device = DeviceToken([0xab, 0x12])!
    private let app = Topic("com.example.agent")!

    @Test func `custom data is the members of an encoded value`() throws {
        let custom = try CustomData(encoding: Order(number: 4711, lines: ["tea", "rice"], total: 2.5))
        #expect(custom == ["number": 4711, "lines": ["tea", "rice"], "total": 2.5])
        let push = AlertPush("Ready", custom: custom)
        #expect(
            String(decoding: push.encoded(), as: UTF8.self)
                == #"{"aps":{"alert":"Ready"},"lines":["tea","rice"],"number":4711,"total":2.5}"#)
        #expect(push.findings().isEmpty)
    }

    @Test func `the encoder's strategies are used`() throws {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .secondsSince1970
        let order = Order(number: 1, lines: [], placed: Date(timeIntervalSince1970: 7))
        #expect(try CustomData(encoding: order, with: encoder)["placed"] == 7)
    }

    @Test func `what cannot be custom data is refused, with what it is`() throws {
        let array = #expect(throws: PayloadValueError.self) { try CustomData(encoding: [1, 2]) }
        #expect(array?.detail.contains("an array") == true)
        #expect(throws: PayloadValueError.self) { try CustomData(encoding: Nulls()) }
        #expect(throws: ReservedKeyError.self) { try CustomData(encoding: ["aps": 1]) }
        #expect(throws: EncodingError.self) { try CustomData(encoding: ["number": Double.nan]) }
    }

    @Test func `a whole payload is an encoded value, with the headers of its push type`() throws {
        let payload = Payload(aps: .init(contentAvailable: 1), order: Order(number: 1, lines: []))
        let notification = try APNSNotification(encoding: payload, as: .background, to: device, of: app)
        #expect(notification.priority == .powerConsiderate && notification.topic == app)
        #expect(
            try PayloadValue(json: notification.payload) == [
                "aps": ["content-available": 1], "order": ["number": 1, "lines": []],
            ])
        let voip = try APNSNotification(
            encoding: payload, as: .voip, to: device, of: app, priority: .low, collapseID: CollapseID("a"))
        #expect(voip.topic.value == "com.example.agent.voip" && voip.expiration == .once && voip.priority == .low)
        #expect(voip.collapseID?.value == "a")
    }

    @Test func `a whole payload is checked as any other`() throws {
        var validator = Validator()
        let good = Payload(aps: .init(alert: "Hi"))
        #expect(validator.firstError(for: try APNSNotification(encoding: good, as: .alert, to: device, of: app)) == nil)
        let alert = try APNSNotification(encoding: good, as: .background, to: device, of: app)
        #expect(validator.firstError(for: alert)?.rule == "background-content-available")
        let array = try APNSNotification(encoding: [1], as: .alert, to: device, of: app)
        #expect(validator.firstError(for: array) != nil)
        let large = Payload(aps: .init(alert: String(repeating: "x", count: 5000)))
        let tooLarge = try APNSNotification(encoding: large, as: .alert, to: device, of: app)
        #expect(validator.firstError(for: tooLarge)?.rule == "payload-too-large")
    }
}
