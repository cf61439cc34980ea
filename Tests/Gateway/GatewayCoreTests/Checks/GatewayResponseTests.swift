import APNSModel
import Testing

@testable import GatewayCore

/// The wire form of docs/reference/apns.md 1.7.
struct GatewayResponseTests {
    func response(_ scenario: Scenario) throws -> GatewayResponse {
        var running = try scenario.run()
        return try #require(try running.send(scenario).response)
    }

    @Test func `an acceptance has its headers and no body`() throws {
        let response = try response(Scenario())
        #expect(response.headers.map(\.name) == [":status", "apns-id", "apns-unique-id"])
        #expect(response.headers[0].value == "200")
        #expect(response.headers[1].value == "9d1f0a52-1111-4222-8333-abcdefabcdef")
        let uniqueID = response.headers[2].value
        #expect(NotificationID(uniqueID) != nil)
        #expect(uniqueID == uniqueID.lowercased())
        #expect(response.body.isEmpty)
    }

    @Test func `production answers without apns-unique-id`() throws {
        let response = try response(
            Scenario().with {
                $0.environment = .production
                $0.devices[0].environment = .production
                $0.keyEnvironments = [.production]
            })
        #expect(response.headers.map(\.name) == [":status", "apns-id"])
    }

    @Test func `a refusal has two headers and compact JSON without a line end`() throws {
        let response = try response(Scenario().with { $0.head.path = "/3/device/cafe" })
        #expect(response.headers.map(\.name) == [":status", "apns-id"])
        #expect(response.headers[0].value == "400")
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"reason":"BadDeviceToken"}"#)
    }

    @Test func `a 410 has reason, then timestamp in milliseconds`() throws {
        let scenario = Scenario().with { scenario in
            SpoiledRequest.all.first { $0.check == "device-token-registered" }?.spoil(&scenario)
        }
        let response = try response(scenario)
        #expect(response.status == 410)
        #expect(
            String(decoding: response.body, as: UTF8.self)
                == #"{"reason":"Unregistered","timestamp":\#(Scenario.start)}"#)
    }

    @Test func `the documented form has spaces and a content-type`() throws {
        let response = try response(
            Scenario().with {
                $0.settings.contested.usesDocumentedErrorBody = true
                $0.head.path = "/3/device/cafe"
            })
        #expect(response.headers.last?.value == "application/json")
        #expect(String(decoding: response.body, as: UTF8.self) == #"{"reason" : "BadDeviceToken"}"#)
    }

    @Test func `an apns-id is echoed as it was sent, and a made one is upper case`() throws {
        let upper = "9D1F0A52-1111-4222-8333-ABCDEFABCDEF"
        #expect(try response(Scenario().with { $0.head.apnsID = upper }).apnsID == upper)
        for id in [nil, "not-a-uuid"] {
            let made = try response(Scenario().with { $0.head.apnsID = id }).apnsID
            #expect(NotificationID(made) != nil)
            #expect(made == made.uppercased())
        }
    }

    @Test func `an id is echoed on a refusal before it was looked at`() throws {
        let response = try response(Scenario().with { $0.hasAuthorization = false })
        #expect(response.status == 403)
        #expect(response.apnsID == "9d1f0a52-1111-4222-8333-abcdefabcdef")
    }

    @Test func `upper-case ids can be refused, and refusals can have a unique id`() throws {
        let response = try response(
            Scenario().with {
                $0.settings.contested.refusesUppercaseID = true
                $0.settings.contested.sendsUniqueIDOnRefusals = true
                $0.head.apnsID = "9D1F0A52-1111-4222-8333-ABCDEFABCDEF"
            })
        #expect(response.status == 400)
        #expect(response.uniqueID != nil)
    }
}
