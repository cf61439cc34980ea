import APNSModel
import APNSProvider
import Foundation
import GatewayCore
import GatewayJSON
import GatewayTestSupport
import GatewayTesting
import RepositoryFiles
import Testing

/// What pages say about faults and devices is what a gateway does.
struct DocumentationTests {
    @Test func `the page about faults has an example of every effect, and each is one`() async throws {
        let page = try Repository.text("docs/faults.md")
        let examples = page.split(separator: "`").filter { $0.hasPrefix("{") && $0.hasSuffix("}") }
        try await withGateway { gateway in
            for key in FaultEffect.keys {
                let own = examples.filter { $0.hasPrefix("{\"\(key)\":") }
                #expect(!own.isEmpty, "\(key)")
                for example in own {
                    let made = try await gateway.control.call("POST", "/api/faults", "{\"effect\":\(example)}")
                    #expect(made.status == 201, "\(example) \(made.body)")
                }
            }
            for rule in examples where rule.hasPrefix("{\"effect\":") || rule.hasPrefix("{\"match\":") {
                #expect(try await gateway.control.call("POST", "/api/faults", String(rule)).status == 201, "\(rule)")
            }
        }
    }

    @Test func `the page about deliveries names every stage, cause and key of a device, and its example is taken`()
        async throws
    {
        let page = try Repository.text("docs/delivery.md")
        for stage in LifeEntry.Stage.allCases where stage != .refused {
            #expect(page.contains("| `\(stage.rawValue)` |"), "\(stage)")
        }
        for cause in Hold.Cause.allCases { #expect(page.contains("`\(cause.rawValue)`"), "\(cause)") }
        for change in DeviceTokenChange.allCases { #expect(page.contains("/\(change.rawValue)`"), "\(change)") }
        try await withGateway(device: "ab12") { gateway in
            let known = [
                "online", "awake", "low-power", "low-data", "background-refresh", "notifications", "app-state",
                "budget",
            ]
            let device = try await gateway.control.call("GET", "/api/devices/ab12").json
            for key in known + ["channels"] {
                #expect(device[key] != nil && page.contains("| `\(key)` |"), "\(key)")
            }
            let example = try #require(page.split(separator: "PATCH -d '").last?.split(separator: "'").first)
            let patched = try await gateway.control.call("PATCH", "/api/devices/ab12", String(example))
            #expect(patched.status == 200, "\(patched.body)")
        }
    }
}
