import DevelopmentCredentials
import GatewayConfiguration
import GatewayServer
import GatewayTestSupport
import GatewayTesting
import Testing

@testable import GatewayControl

@Suite(.timeLimit(.minutes(10)))
struct InspectorPageTests {
    @Test(arguments: ["/", "/w/mine", "/w/mine/"])
    func `the page is served at the root and for each world`(path: String) async throws {
        try await withGateway { gateway in
            let page = try await gateway.control.call("GET", path)
            #expect(page.status == 200)
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            #expect(page.body.hasPrefix("<!doctype html>"))
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.contains("default-src 'none'"))
            #expect(policy.contains("require-trusted-types-for 'script'"))
            #expect(!policy.contains("unsafe"))
            #expect(page.headers["x-content-type-options"] == "nosniff")
        }
    }

    @Test func `each file of the page is served as what it is`() async throws {
        try await withGateway { gateway in
            for file in PageFile.all {
                let answer = try await gateway.control.call("GET", "/page/\(file.name)")
                #expect(answer.status == 200, "\(file.name)")
                #expect(answer.headers["content-type"] == file.contentType, "\(file.name)")
                #expect(answer.body == file.text, "\(file.name)")
                #expect(file.contentType != "application/octet-stream", "\(file.name)")
            }
            #expect(try await gateway.control.call("GET", "/page/none.js").status == 404)
            #expect(try await gateway.control.call("GET", "/page/..%2fmain.js").status == 404)
            #expect(try await gateway.control.call("POST", "/", "{}").status == 405)
        }
    }

    @Test func `what the page names is there, and nothing of it comes from elsewhere`() {
        let names = Set(PageFile.all.map(\.name))
        for file in PageFile.all {
            for part in file.text.matches(of: /(?:from "\.\/|["']\/page\/)(?<name>[^"']+)["']/) {
                #expect(names.contains(String(part.output.name)), "\(file.name) names \(part.output.name)")
            }
            let addresses = file.text.matches(of: /https?:\/\/[a-z0-9.]+/).map { String($0.output) }
            #expect(addresses.allSatisfy { $0 == "http://www.w3.org" }, "\(file.name): \(addresses)")
            #expect(!file.text.contains("innerHTML") && !file.text.contains("eval("), "\(file.name)")
        }
    }

    @Test func `the page is served without the control token, and what it shows is not`() async throws {
        var configuration = GatewayConfiguration()
        configuration.port = 0
        configuration.controlPort = 0
        configuration.credentials = .given(try DevelopmentCredentials.make())
        configuration.controlToken = "0123456789abcdef"
        let gateway = try await GatewayServer(configuration).start()
        let client = ControlClient(port: gateway.controlPort)
        for path in ["/", "/page/main.js", "/page/page.css", "/w/mine"] {
            #expect(try await client.call("GET", path).status == 200, "\(path)")
        }
        let guarded = [
            "/api", "/api/notifications", "/api/counts", "/w/mine/api/counts", "/api/devices/ab12/notifications",
        ]
        for path in guarded {
            #expect(try await client.call("GET", path).status == 401, "\(path)")
        }
        await gateway.shutdown()
    }
}
