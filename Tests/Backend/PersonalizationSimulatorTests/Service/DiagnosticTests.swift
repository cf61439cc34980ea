import PersonalizationSimulator
import PushDispatch
import Testing

/// Spec section 2.1: codes are not HTTP statuses.
struct DiagnosticTests {
    private let flags = ["EnableDiagnostics"]

    @Test func `a request can be 200 and carry a 401: this point is not configured`() {
        var world = world(shop)
        let answer = world.decide("unknown", "hero", flags: flags, isSignedOn: true)
        #expect(answer.status == 200 && answer.codes == [401, 200])
    }

    @Test func `a refusal has the code of its reason, not its HTTP status`() {
        var world = world(shop)
        let body = #"{"context":{"individualId":"d"},"personalizationPoints":[{"name":"hero"}]}"#
        let unknown = world.post(body, to: "/personalization/authenticated/decisions")
        #expect(unknown.status == 401 && unknown.codes == [404], "it needs sign-on")
        let read = world.get("/personalization/decisions")
        #expect(read.status == 405 && read.codes == [400])
    }

    @Test(arguments: [(401, 404), (403, 404), (405, 400), (418, 400), (429, 406), (500, 500), (503, 503), (521, 500)])
    func `the status of a fault rule has a code that means the same`(status: Int, code: Int) {
        var world = world(shop)
        _ = world.control("POST", "/api/faults", #"{"effect":{"status":\#(status)}}"#)
        let answer = world.decide("hero")
        #expect(answer.status == status && answer.codes == [Int64(code)])
    }

    @Test func `402: this point has neither id nor name`() {
        var world = world(shop)
        let body = """
            {"context":{"individualId":"d"},"personalizationPoints":[{},{"name":"hero"}],
            "executionFlags":["EnableDiagnostics"]}
            """
        let answer = world.post(body, isSignedOn: true)
        #expect(answer.status == 200 && answer.codes == [402, 200])
    }

    @Test func `403: no remaining points in the request`() {
        var world = world(shop)
        #expect(world.decide("unknown", flags: flags, isSignedOn: true).codes == [401, 403])
    }

    @Test func `2xx: no decision qualified`() {
        var world = world(shop)
        #expect(world.decide("nobody", flags: flags, isSignedOn: true).codes == [204])
    }

    @Test func `521: a rule could not be evaluated`() {
        var world = world(
            """
            points:
              - name: hero
                decisions:
                  - {id: grown, when: [{attribute: age, greater: 17}], content: {title: Grown}}
                  - {id: all, content: {title: Hello}}
            """)
        let answer = world.decide("hero", context: ["age": "many"], flags: flags, isSignedOn: true)
        #expect(answer.codes == [521, 200] && answer.attribute("title") == "Hello")
        #expect(world.decide("hero", context: ["age": 18]).attribute("title") == "Grown")
        #expect(world.decide("hero", context: ["age": 9]).attribute("title") == "Hello", "numbers, not texts")
    }

    @Test func `533: recommendation content too large, cut off`() {
        var world = world("limits: {content-bytes: 140}\n" + shop)
        let answer = world.decide("recs", flags: flags, isSignedOn: true)
        #expect(answer.skus == ["1"] && answer.codes == [533, 200])
    }

    @Test func `diagnostics come only with sign-on and the flag; without, they go to a log object`() {
        var world = world(shop)
        #expect(world.decide("unknown", flags: flags)["diagnostics"] == .null)
        #expect(world.decide("unknown", isSignedOn: true)["diagnostics"] == .null)
        let log = world.get("/api/diagnostics")["diagnostics"]
        #expect(log.array?.map { $0["code"] } == [401, 403, 401, 403])
        #expect(log[0]["point"] == "unknown")
        _ = world.decide("unknown", flags: flags, isSignedOn: true)
        #expect(world.get("/api/diagnostics")["total"] == 4)
    }
}
