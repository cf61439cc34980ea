import PushDispatch
import Testing

struct HTTPDateTests {
    @Test(arguments: [
        ("Sun, 06 Nov 1994 08:49:37 GMT", "1994-11-06T08:49:37Z"),
        ("Thu, 29 Feb 2024 23:59:59 GMT", "2024-02-29T23:59:59Z"),
        ("Thu, 01 Jan 1970 00:00:00 GMT", "1970-01-01T00:00:00Z"),
    ])
    func `a date of HTTP becomes one of ISO 8601`(text: String, timestamp: String) {
        #expect(HTTPDate.timestamp(text) == timestamp)
    }

    @Test(arguments: [
        "", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 CET",
        "Xxx, 06 Nov 1994 08:49:37 GMT", "Sun, 6  Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT ",
        "Sun, 06 nov 1994 08:49:37 GMT",
    ])
    func `another format is none`(text: String) {
        #expect(HTTPDate.timestamp(text) == nil)
    }
}
