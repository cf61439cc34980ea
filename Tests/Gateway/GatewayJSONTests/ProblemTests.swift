import GatewayCore
import GatewayJSON
import PayloadJSON
import Testing

struct ProblemTests {
    @Test func `a problem is shown as problem details`() {
        let problem = Problem(400, "Bad thing", "it is \"wrong\"", pointer: "/a")
        #expect(
            problem.json.text
                == #"{"type":"urn:apns-toolkit:problem:bad-thing","title":"Bad thing","status":400,"#
                + #""detail":"it is \"wrong\"","pointer":"/a"}"#)
        #expect(Problem.badParameter("limit", "must be a number").parameter == "limit")
        #expect(Problem.badParameter("limit", "x").json.text.hasSuffix(#","parameter":"limit"}"#))
    }

    @Test func `a method that is not allowed names those that are, and HEAD beside GET`() {
        let problem = Problem.methodNotAllowed("PUT", ["GET", "POST"])
        #expect(problem.status == 405)
        #expect(problem.allowed == ["GET", "HEAD", "POST"])
        #expect(problem.detail == "PUT is not supported here; use GET, HEAD, POST")
    }

    @Test func `a name in a message is quoted and cut`() {
        let name = "a\n" + String(repeating: "b", count: 100)
        let detail = Problem.noWorld(name).detail
        let shown = #"a\n"# + String(repeating: "b", count: 62) + "… (102 characters)"
        #expect(detail.hasPrefix("there is no world \"\(shown)\" at the moment"))
    }

    @Test(
        arguments: [
            (.deviceTokenTaken(topic: "a.b"), 409, "/token"), (.badDeviceToken, 400, "/token"),
            (.badTopic("a b"), 400, "/topic"), (.kindNotForTopic(.voip, topic: "a.b"), 400, "/topic"),
            (.noChannel("AAAA", app: "a.b"), 400, "/channels"), (.incomplete("x is missing"), 400, nil),
            (.full("devices", 5), 507, nil),
        ] as [(RegistrationError, Int, String?)])
    func `what cannot be registered has a status and the member that is wrong`(
        error: RegistrationError, status: Int, pointer: String?
    ) {
        let problem = Problem(error)
        #expect(problem.status == status)
        #expect(problem.pointer == pointer)
        #expect(problem.detail.hasPrefix(error.description))
    }

    @Test func `a gateway that is full says what makes room`() {
        #expect(Problem(.full(RegistrationError.faultRules, 256)).detail.hasSuffix("; DELETE /api/faults makes room"))
        #expect(Problem(.full("apps", 9)).detail.hasSuffix("; POST /api/reset makes room"))
    }
}
