import Testing

@testable import SelectiveSync

struct ServerRefusalTests {
    private func read(_ status: Int, _ body: String) -> FetchError {
        ServerRefusal.read(status: status, body: Array(body.utf8))
    }

    @Test(
        arguments: [
            (400, "MALFORMED_ID", .dropRecord), (400, "INVALID_FIELD", .stop), (401, "INVALID_SESSION_ID", .logIn),
            (403, "REQUEST_LIMIT_EXCEEDED", .keep), (404, "NOT_FOUND", .stop), (503, "SERVER_UNAVAILABLE", .retryLater),
            (400, "SOMETHING_NEW", .keep), (401, "SOMETHING_NEW", .logIn), (429, "SOMETHING_NEW", .retryLater),
            (500, "SOMETHING_NEW", .retryLater),
        ] as [(Int, String, FetchError.Advice)])
    func `the code decides, else the status`(status: Int, code: String, advice: FetchError.Advice) {
        let error = read(status, #"[{"errorCode":"\#(code)","message":"secret"}]"#)
        #expect(error.code == FetchError.Code(code) && error.status == status && error.advice == advice)
        #expect(!"\(error)".contains("secret"))
    }

    @Test(arguments: ["", "<html>", "{}", "[]", #"[{"errorCode":"not a code"}]"#, #"[{"errorCode":7}]"#])
    func `an unreadable refusal drops no hint`(body: String) {
        #expect(read(400, body).code == .unexplained && read(400, body).advice == .keep)
        #expect(read(503, body).advice == .retryLater && read(401, body).advice == .logIn)
    }

    @Test func `a redirect is not followed`() {
        #expect(read(302, "").code == .redirected && read(302, "").advice == .retryLater)
    }
}
