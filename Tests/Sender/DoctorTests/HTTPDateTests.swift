import Testing

@testable import Doctor

struct HTTPDateTests {
    @Test func `the form that servers must write is read`() {
        #expect(HTTPDate.seconds("Sun, 06 Nov 1994 08:49:37 GMT") == 784_111_777)
        #expect(HTTPDate.seconds("Fri, 27 Nov 2026 10:00:00 GMT") == 1_795_773_600)
    }

    @Test(arguments: [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994",
        "Sun, 6 Nov 1994 08:49:37 GMT",
    ])
    func `anything else is no date`(_ text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
