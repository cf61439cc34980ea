import PushDispatch
import SelectiveSync
import Testing

struct RecordFilterTests {
    private static let user = RecordID("005xx000001X8Uz")!
    private static let cases: [(RecordFilter, String)] = [
        (.owner(user), "OwnerId = '\(user)'"),
        (.records([.test(1), .test(2)]), "Id IN ('\(RecordID.test(1))','\(RecordID.test(2))')"),
        (.field("Territory__c", isOneOf: ["North", "West"]), "Territory__c IN ('North','West')"),
        (.field("Account.OwnerId", .equal, .id(user)), "Account.OwnerId = '\(user)'"),
        (.field("Size__c", .greaterOrEqual, 7), "Size__c >= 7"),
        (.field("Share__c", .less, .number(0.25)), "Share__c < 0.25"),
        (.field("IsActive__c", .unequal, false), "IsActive__c != false"),
        (.field("Phone", .equal, .null), "Phone = null"),
        (
            .field("CreatedDate", .greater, .date(ServerDate("2026-05-20T20:49:32.000+0000")!)),
            "CreatedDate > 2026-05-20T20:49:32.000Z"
        ),
        (.field("LastModifiedDate", .greaterOrEqual, .lastDays(30)), "LastModifiedDate >= LAST_N_DAYS:30"),
        (.hasPrefix(field: "Name", "100%_'"), #"Name LIKE '100\%\_\'%'"#),
        (.contains(field: "Name", #"a\b"#), #"Name LIKE '%a\\b%'"#),
        (
            .field("AccountId", isIn: "Id", of: "Account", where: .owner(user)),
            "AccountId IN (SELECT Id FROM Account WHERE OwnerId = '\(user)')"
        ),
        (.field("AccountId", isIn: "Id", of: "Account"), "AccountId IN (SELECT Id FROM Account)"),
        (
            .all([.field("A", .equal, 1), .any([.field("B", .equal, 2), .field("C", .equal, 3)])]),
            "(A = 1 AND (B = 2 OR C = 3))"
        ),
        (.not(.field("A", .equal, 1)), "(NOT A = 1)"),
        (.any([.field("A", .equal, 1)]), "A = 1"),
        (.all([]), "Id != null"), (.any([]), "Id = null"), (.field("Territory__c", isOneOf: []), "Id = null"),
    ]

    @Test(arguments: cases)
    func `a filter is written in the server's language`(filter: RecordFilter, text: String) throws {
        #expect(try filter.text() == text)
    }

    @Test(arguments: [
        ("plain", "plain"), ("O'Neil", #"O\'Neil"#),
        (#"x' OR Id != null OR Name = '"#, #"x\' OR Id != null OR Name = \'"#),
        (#"\' OR 1"#, #"\\\' OR 1"#), ("a\nb\r\tc\u{8}\u{c}", #"a\nb\r\tc\b\f"#), ("\r\n", #"\r\n"#),
        ("ü 😀 \" %", #"ü 😀 \" %"#),
        ("e\u{301}'", "e\u{301}\\'"),
    ])
    func `a string cannot leave its quotes`(text: String, escaped: String) throws {
        #expect(try RecordFilter.field("Name", .equal, .string(text)).text() == "Name = '\(escaped)'")
    }

    @Test(arguments: ["", "Na me", "Name'", "a..b", ".a", "a.", "Name = 'x' OR Name", "Nämé", "a)b"])
    func `a name that could change the query is refused`(name: String) {
        let filters: [RecordFilter] = [
            .field(name, .equal, 1), .field(name, isOneOf: []), .hasPrefix(field: name, "a"),
            .contains(field: name, "a"),
            .field("A", isIn: name, of: "B"), .field("A", isIn: "B", of: name), .not(.field(name, .equal, 1)),
            .all([.all([]), .field(name, .equal, 1)]),
        ]
        for filter in filters {
            #expect { try filter.text() } throws: { ($0 as? FetchError)?.code == .badRequest }
        }
    }

    @Test func `a number that is not finite is refused`() {
        #expect(throws: FetchError.self) { try RecordFilter.field("A", .less, .number(.infinity)).text() }
        #expect(throws: FetchError.self) { try RecordFilter.field("A", .less, .number(.nan)).text() }
    }

    @Test func `a query has the filter next to its date, without parentheses around an inner query`() throws {
        let request = QueryRequest(
            object: "Visit__c", fields: ["Id"], orderField: "SystemModstamp",
            after: ServerDate(millisecondsSince1970: 0),
            filter: .all([.field("AccountId", isIn: "Id", of: "Account"), .all([.field("A", .equal, 1)])]),
            timeoutMilliseconds: 1)
        #expect(
            try request.text()
                == "SELECT Id FROM Visit__c WHERE SystemModstamp > 1970-01-01T00:00:00.000Z AND "
                + "AccountId IN (SELECT Id FROM Account) AND A = 1 ORDER BY SystemModstamp")
        #expect(
            try QueryRequest(object: "A", fields: ["Id"], orderField: "", filter: .all([]), timeoutMilliseconds: 1)
                .text()
                == "SELECT Id FROM A")
    }
}
