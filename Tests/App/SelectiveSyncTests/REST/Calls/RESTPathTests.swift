import Testing

@testable import SelectiveSync

struct RESTPathTests {
    @Test func `versions and names of objects cannot change a path`() throws {
        #expect(try RESTPath.data("v66.0", "query") == "/services/data/v66.0/query")
        for version in ["", "66.0", "v66", "v66.0/..", "v6666.0", "v66.0.0", "v６6.0"] {
            #expect(throws: FetchError.self) { try RESTPath.data(version, "query") }
        }
        #expect(try RESTPath.object("Visit__c") == "Visit__c")
        for name in ["", "a/b", "..", "a?b", "a.b", "ä", String(repeating: "a", count: 81)] {
            #expect(throws: FetchError.self) { try RESTPath.object(name) }
        }
    }

    @Test(
        arguments: [
            ("/services/data/v66.0/query/01g-2000", true), ("/services/data/v66.0/../x", false),
            ("/services/data/", false), ("/services/other/x", false), ("//host/services/data/x", false),
            ("/services/data/a//b", false), ("/services/data/a?b", false), ("https://host/services/data/x", false),
            ("", false),
        ])
    func `the next page is a plain path of the same service`(text: String, isNext: Bool) {
        #expect(RESTPath.isNext(text) == isNext)
    }
}
