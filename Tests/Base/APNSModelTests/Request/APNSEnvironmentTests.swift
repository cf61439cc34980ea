import APNSModel
import Testing

struct APNSEnvironmentTests {
    @Test func `each environment has its host`() {
        #expect(APNSEnvironment.allCases.map(\.rawValue) == ["sandbox", "production"])
        #expect(APNSEnvironment.sandbox.host == "api.sandbox.push.apple.com")
        #expect(APNSEnvironment.production.host == "api.push.apple.com")
    }
}
