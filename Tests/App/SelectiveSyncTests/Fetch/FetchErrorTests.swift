import SelectiveSync
import Testing

struct FetchErrorTests {
    @Test func `it says what is wrong and what to do`() {
        #expect(
            "\(FetchError(.malformedID, status: 400, advice: .dropRecord, "the server refused the call"))"
                == "MALFORMED_ID (status 400): the server refused the call; drop the id")
        #expect(
            "\(FetchError(.network, advice: .retryLater, "no connection"))"
                == "network: no connection; try again later")
    }
}
