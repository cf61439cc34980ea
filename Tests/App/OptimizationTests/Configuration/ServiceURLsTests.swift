import Foundation
import Testing

@testable import Optimization

struct ServiceURLsTests {
    @Test func `the production hosts and paths`() throws {
        let urls = try ServiceURLs(OptimizationConfiguration(clientID: "client-1"))
        let base = "https://experience.ninetailed.co/v2/organizations/client-1/environments/master/profiles"
        #expect(urls.profile(nil).absoluteString == base + "?locale=en-US")
        #expect(urls.profile("p1").absoluteString == base + "/p1?locale=en-US")
        #expect(
            urls.analytics.absoluteString
                == "https://ingest.insights.ninetailed.co/v1/organizations/client-1/environments/master/events")
    }

    @Test func `a base URL may have a port and a path`() throws {
        var configuration = OptimizationConfiguration(clientID: "c")
        configuration.experienceBaseURL = "http://127.0.0.1:8447"
        configuration.insightsBaseURL = "https://proxy.example.com/insights/"
        configuration.environment = "later"
        configuration.isPreflight = true
        configuration.locale = ""
        let urls = try ServiceURLs(configuration)
        #expect(
            urls.profile(nil).absoluteString
                == "http://127.0.0.1:8447/v2/organizations/c/environments/later/profiles?type=preflight")
        #expect(
            urls.analytics.absoluteString
                == "https://proxy.example.com/insights/v1/organizations/c/environments/later/events")
    }

    @Test func `an id from outside stays one part of the path`() throws {
        let urls = try ServiceURLs(OptimizationConfiguration(clientID: "a/b?c"))
        #expect(urls.profiles.absoluteString.contains("/organizations/a%2Fb%3Fc/environments/"))
        for (id, encoded) in [
            ("../x", "..%2Fx"), ("..", "%2E%2E"), ("a b", "a%20b"), ("ü", "%C3%BC"), ("%2F", "%252F"),
        ] {
            #expect(urls.profile(id).absoluteString.hasSuffix("/profiles/\(encoded)?locale=en-US"), "\(id)")
        }
    }
}
