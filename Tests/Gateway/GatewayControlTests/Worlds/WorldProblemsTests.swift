import GatewayCore
import GatewayJSON
import GatewayRuntime
import Testing

@testable import GatewayControl

struct WorldProblemsTests {
    @Test func `a world that cannot be made is answered with what can be done`() throws {
        let full = Problem(Worlds.CreationError.full(5))
        #expect(full.status == 507)
        #expect(full.detail.contains("5 worlds") && full.detail.contains("DELETE /api/worlds/{name}"))
        let taken = Problem(Worlds.CreationError.taken(try #require(WorldName("orders"))))
        #expect(taken.status == 409 && taken.detail.contains("DELETE /api/worlds/orders"))
        let standard = Problem(Worlds.CreationError.taken(.standard))
        #expect(standard.status == 409 && standard.detail.contains("POST /api/reset"))
        #expect(!standard.detail.contains("DELETE"))
    }

    @Test func `the problem of too many listeners names the limit`() {
        #expect(Problem.tooManySubscribers.status == 503)
        #expect(Problem.tooManySubscribers.detail.hasPrefix("12000 clients listen or wait already"))
    }

    @Test func `the problem of too many large bodies names the limit`() {
        #expect(Problem.tooManyBodies.status == 503)
        #expect(Problem.tooManyBodies.type == "urn:apns-toolkit:problem:too-many-large-bodies")
        #expect(Problem.tooManyBodies.detail.contains("--memory"))
    }
}
