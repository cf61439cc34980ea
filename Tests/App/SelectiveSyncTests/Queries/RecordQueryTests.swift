import PushDispatch
import SelectiveSync
import Testing

struct RecordQueryTests {
    private let store = MemoryRecordStore(search: ["Account": ["Name", "City"]])

    private func put(_ number: Int, _ fields: [String: JSONValue], _ changes: LocalRecord.Changes = []) async {
        await store.put(LocalRecord(.server(.test(number)), fields: fields, changes: changes), of: "Account")
    }

    private func names(_ query: RecordQuery) async throws -> [String] {
        try await store.records(query).records.map { $0.fields["Name"]?.string ?? "-" }
    }

    private func names(where condition: RecordCondition) async throws -> [String] {
        try await names(RecordQuery("Account", where: condition))
    }

    @Test func `a comparison with a value of another kind is false, and not its opposite`() async throws {
        await put(1, ["Name": "number", "V": 5])
        await put(2, ["Name": "text", "V": "5"])
        await put(3, ["Name": "null", "V": .null])
        await put(4, ["Name": "none"])
        let field = RecordField("V")
        #expect(try await names(where: field == 5) == ["number"])
        #expect(try await names(where: field == 5.0) == ["number"])
        #expect(try await names(where: field != 5) == ["text", "null", "none"])
        #expect(try await names(where: field > 4) == ["number"])
        #expect(try await names(where: field < "6") == ["text"])
        #expect(try await names(where: !(field < "6")) == ["number", "null", "none"])
        #expect(try await names(where: field == nil) == ["null", "none"])
        #expect(try await names(where: field != nil) == ["number", "text"])
        #expect(try await names(where: field < nil || field >= nil).isEmpty)
        #expect(try await names(where: field.isIn([nil, "5"])) == ["text", "null", "none"])
    }

    @Test func `text is compared by its bytes unless case is ignored`() async throws {
        await put(1, ["Name": "apple"])
        await put(2, ["Name": "Banana"])
        await put(3, ["Name": "ÄPFEL"])
        let name = RecordField("Name")
        #expect(try await names(RecordQuery("Account", order: [.ascending(name)])) == ["Banana", "apple", "ÄPFEL"])
        #expect(
            try await names(RecordQuery("Account", order: [.descending(name.ignoringCase)]))
                == ["ÄPFEL", "Banana", "apple"])
        #expect(try await names(where: name == "banana").isEmpty)
        #expect(try await names(where: name.ignoringCase == "BANANA") == ["Banana"])
        #expect(try await names(where: name.ignoringCase.hasPrefix("Äp")) == ["ÄPFEL"])
        #expect(try await names(where: name.contains("an")) == ["Banana"])
    }

    @Test func `a date is compared as an instant, whatever its offset`() async throws {
        await put(1, ["Name": "early", "At": "2026-05-20T20:00:00.000+0000"])
        await put(2, ["Name": "late", "At": "2026-05-20T20:30:00.000-0100"])
        await put(3, ["Name": "day", "At": "2026-05-21"])
        await put(4, ["Name": "text", "At": "soon"])
        let date = try #require(ServerDate("2026-05-20T21:00:00Z"))
        #expect(try await names(where: RecordField("At") >= .date(date)) == ["late", "day"])
        #expect(try await names(where: RecordField("At") < .date(date)) == ["early"])
        #expect(
            try await names(RecordQuery("Account", order: [.descending(RecordField("At").asDate)]))
                == ["day", "late", "early", "text"])
    }

    @Test func `a query sees the user's view`() async throws {
        await put(1, ["Name": "clean"])
        await put(2, ["Name": "edited"], .updated)
        await put(3, ["Name": "deleted"], .deleted)
        #expect(try await names(where: .always) == ["clean", "edited"])
        #expect(try await names(where: .isDirty) == ["edited"])
        var query = RecordQuery("Account", where: .isDirty)
        query.includesDeleted = true
        #expect(try await names(query) == ["edited", "deleted"])
    }

    @Test func `pages by places are complete although records come and go`() async throws {
        for number in 0..<10 { await put(number, ["Name": .string("n\(number)"), "T": .integer(Int64(number % 2))]) }
        var query = RecordQuery("Account", order: [.descending("T"), .ascending("Name")], limit: 4)
        let first = try await store.records(query)
        #expect(first.records.map { $0.fields["Name"]?.string } == ["n1", "n3", "n5", "n7"])
        await put(1, ["Name": "n1", "T": 0])
        query.after = first.next
        let second = try await store.records(query)
        #expect(second.records.map { $0.fields["Name"]?.string } == ["n9", "n0", "n1", "n2"])
        query.after = second.next
        let third = try await store.records(query)
        #expect(third.records.map { $0.fields["Name"]?.string } == ["n4", "n6", "n8"])
        #expect(third.next == nil)
        #expect(try await store.count(query) == 10)
    }

    @Test func `a search finds beginnings of words without case and accents`() async throws {
        await put(1, ["Name": "Müller & Söhne", "City": "Kraków", "Other": "hidden"])
        await put(2, ["Name": "東京 Clinic", "City": "O'Fallon 63366"])
        for text in ["mull", "SOHNE muller", "krakow müller", "  \"mul\" * OR", "(söh"] {
            let found = try await names(where: .search(text))
            #expect(found == (text.contains("OR") ? [] : ["Müller & Söhne"]), "\(text)")
        }
        #expect(try await names(where: .search("京")) == ["東京 Clinic"])
        #expect(try await names(where: .search("fallon 633")) == ["東京 Clinic"])
        #expect(try await names(where: .search("hidden")).isEmpty)
        #expect(try await names(where: .search("--- ***")).count == 2)
    }

    @Test(
        arguments: [
            (RecordQuery("Account; DROP"), RecordQueryError.Code.name),
            (RecordQuery(""), .name),
            (RecordQuery("Account", where: RecordField("Na'me") == 1), .name),
            (RecordQuery("Account", where: RecordField("a..b") == 1), .name),
            (RecordQuery("Account", order: [.ascending("\u{e4}")]), .name),
            (RecordQuery("Account", limit: -1), .value),
            (RecordQuery("Account", where: RecordField("a") < .number(.nan)), .value),
            (
                RecordQuery("Account", where: RecordField("a").isIn([1, .date(ServerDate(millisecondsSince1970: 1))])),
                .value
            ),
            (RecordQuery("Account", where: .or(Array(repeating: .isDirty, count: 200))), .tooLarge),
            (RecordQuery("Account", where: RecordField("a").isIn(Array(repeating: 1, count: 2_001))), .tooLarge),
            (RecordQuery("Account", where: .search(String(repeating: "a ", count: 33))), .tooLarge),
            (RecordQuery("Account", where: .search(String(repeating: "a", count: 10_001))), .tooLarge),
            (RecordQuery("Contact", where: !.search("a")), .notSearchable),
        ])
    func `a query that no store can answer is refused`(query: RecordQuery, code: RecordQueryError.Code) async throws {
        let error = await #expect(throws: RecordQueryError.self) { try await store.records(query) }
        #expect(error?.code == code)
        await #expect(throws: RecordQueryError.self) { try await store.count(query) }
        var values = store.observe(query).makeAsyncIterator()
        await #expect(throws: RecordQueryError.self) { try await values.next() }
    }

    @Test func `the place of another query is refused`() async throws {
        await put(1, ["Name": "a"])
        await put(2, ["Name": "b"])
        var query = RecordQuery("Account", limit: 1)
        query.after = try await store.records(query).next
        query.order = [.ascending("Name")]
        let error = await #expect(throws: RecordQueryError.self) { try await store.records(query) }
        #expect(error?.code == .place)
    }
}
