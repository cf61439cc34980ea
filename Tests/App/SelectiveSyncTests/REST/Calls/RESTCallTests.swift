import Testing

@testable import SelectiveSync

struct RESTCallTests {
    @Test func `a query is percent-encoded`() {
        #expect(RESTCall.query([("q", "a b+ä&"), ("x-._~", "1")]) == "q=a%20b%2B%C3%A4%26&x-._~=1")
        #expect(RESTCall.query([]).isEmpty)
    }

    @Test func `an address has at most 12,288 bytes`() {
        var call = RESTCall(.get, "/p")
        call.query = String(repeating: "x", count: 12_288 - 3)
        #expect(!call.isTooLong && call.target.utf8.count == 12_288)
        call.query += "x"
        #expect(call.isTooLong)
    }
}
