import PushDispatch
import SelectiveSync
import Testing

struct MergeTests {
    private static let early = "2026-05-20T20:49:32.000+0000"
    private static let late = "2026-05-20T20:49:33.000+0000"

    private let store = MemoryRecordStore()

    private func merge(_ fetched: FetchedRecord...) async -> MergeCounts { await store.merge(fetched, of: "Account") }

    private func name(_ number: Int) async -> String? {
        await store.record(.test(number), of: "Account")?.record.fields["Name"]?.string
    }

    @Test func `a record applied twice gives the same store, and is new once`() async {
        #expect(await merge(.record(.test(1, at: Self.early))).changed == 1)
        let before = await store.records(of: "Account")
        let counts = await merge(.record(.test(1, at: Self.early)))
        #expect(counts.changed == 0 && counts.unchanged == 1)
        #expect(await store.records(of: "Account") == before)
    }

    @Test func `a newer copy replaces, an older one is skipped`() async {
        _ = await merge(.record(.test(1, name: "first", at: Self.early)))
        #expect(await merge(.record(.test(1, name: "second", at: Self.late))).replaced == 1)
        let counts = await merge(.record(.test(1, name: "first", at: Self.early)))
        #expect(counts.older == 1 && counts.changed == 0)
        #expect(await name(1) == "second")
    }

    @Test func `the same stamp replaces without being news`() async {
        _ = await merge(.record(.test(1, name: "first", at: Self.early)))
        #expect(await merge(.record(.test(1, name: "again", at: Self.early))).unchanged == 1)
        #expect(await name(1) == "again")
    }

    @Test func `the system's stamp decides before the user's`() async {
        func record(system: String, user: String, _ name: String) -> FetchedRecord {
            var record = ServerRecord.test(1, name: name, at: system)
            record.fields["LastModifiedDate"] = .string(user)
            return .record(record)
        }
        _ = await merge(record(system: Self.early, user: Self.late, "first"))
        #expect(await merge(record(system: Self.late, user: Self.early, "second")).replaced == 1)
    }

    @Test func `without a common stamp a difference is news`() async {
        _ = await merge(.record(.test(1, name: "first")))
        #expect(await merge(.record(.test(1, name: "first"))).unchanged == 1)
        #expect(await merge(.record(.test(1, name: "second", at: Self.early))).replaced == 1)
    }

    @Test(arguments: [LocalRecord.Change.created, .updated, .deleted])
    func `a dirty record is never touched`(change: LocalRecord.Change) async {
        let dirty = LocalRecord(.test(1, name: "mine", at: Self.early), change: change)
        await store.put(dirty, of: "Account")
        let counts = await merge(.record(.test(1, name: "theirs", at: Self.late)))
        #expect(counts.dirty == 1 && counts.changed == 0)
        #expect(await merge(.missing(.test(1))).dirtyMissing == [.test(1)])
        #expect(await store.record(.test(1), of: "Account") == dirty)
    }

    @Test func `a missing record is removed where it is clean`() async {
        _ = await merge(.record(.test(1)))
        #expect(await merge(.missing(.test(1)), .missing(.test(2))).removed == 1)
        #expect(await store.records(of: "Account").isEmpty)
        #expect(await merge(.missing(.test(1))).absent == 1)
    }

    @Test func `any order of arrival ends with the newest copy`() async {
        let stamps = [
            "2026-05-20T20:49:30Z", "2026-05-20T20:49:31.500+0000", "2026-05-20T22:49:32.000+0200", Self.late,
        ]
        let copies = stamps.enumerated().map { ServerRecord.test(1, name: "\($0.offset)", at: $0.element) }
        for turn in 0..<24 {
            var rest = copies
            var place = turn
            let store = MemoryRecordStore()
            while !rest.isEmpty {
                let next = rest.remove(at: place % rest.count)
                place /= max(1, rest.count + 1)
                _ = await store.merge([.record(next)], of: "Account")
            }
            #expect(await store.record(.test(1), of: "Account")?.record.fields["Name"] == "3")
        }
    }
}
