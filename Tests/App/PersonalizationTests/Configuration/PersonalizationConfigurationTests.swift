import EventDelivery
import Foundation
import Testing

@testable import Personalization

struct PersonalizationConfigurationTests {
    static let id = "3c6f3d0e-9f3a-4b43-8d3e-0c5a8a5b2c11"
    static let app = AppDescription(name: "Shop", version: "1.0")

    @Test(arguments: ["", "shop", "3c6f3d0e9f3a4b438d3e0c5a8a5b2c11", "3c6f3d0e-9f3a-4b43-8d3e-0c5a8a5b2c1g"])
    func `an app source id that is not a UUID is refused with what to do`(_ id: String) {
        let error = #expect(throws: PersonalizationError.self) {
            try PersonalizationConfiguration(endpoint: "https://shop.example.com", appSourceID: id, app: Self.app)
        }
        #expect(error?.code == .invalidConfiguration)
        #expect(error?.detail.contains("UUID") == true)
    }

    @Test(arguments: [
        "", "shop.example.com", "http://shop.example.com", "ftp://shop.example.com", "https://",
        "https://a:b@shop.example.com",
        "https://shop.example.com?x=1", "https://shop.example.com#x", "https://shop.example.com/t",
        "http://127.0.0.1.example.com",
    ])
    func `an endpoint without https is refused`(_ endpoint: String) {
        let error = #expect(throws: PersonalizationError.self) {
            try PersonalizationConfiguration(endpoint: endpoint, appSourceID: Self.id, app: Self.app)
        }
        #expect(error?.code == .invalidConfiguration)
    }

    @Test(arguments: [
        ("https://shop.example.com", "https://shop.example.com/web/events/" + PersonalizationConfigurationTests.id),
        ("https://shop.example.com/", "https://shop.example.com/web/events/" + PersonalizationConfigurationTests.id),
        ("http://127.0.0.1:8446", "http://127.0.0.1:8446/web/events/" + PersonalizationConfigurationTests.id),
    ])
    func `events go to the app source at the endpoint`(_ endpoint: String, _ events: String) throws {
        let configuration = try PersonalizationConfiguration(
            endpoint: endpoint, appSourceID: Self.id.uppercased(), app: Self.app)
        #expect(configuration.eventsURL.absoluteString == events)
    }

    @Test func `tracking is off, and a session lasts 600 seconds in the background`() throws {
        let configuration = try PersonalizationConfiguration(
            endpoint: "https://shop.example.com", appSourceID: Self.id, app: Self.app)
        #expect(!configuration.tracksScreens && !configuration.tracksLifecycle)
        #expect(configuration.sessionTimeoutMilliseconds == 600_000)
        #expect(configuration.dataSpace == "default" && configuration.deviceIDAfterLogOut == .same)
        #expect(configuration.purposes.all == ["personalization"])
    }
}
