import PushDispatch
import SelectiveSync
import Testing

struct MergeTests {
    private static let early = "2026-05-20T20:49:32.000+0000"
    private static let late = "2026-05-20T20:49:33.000+0000"

    private let store = MemoryRecordStore()

    private func merge(_ fetched: FetchedRecord..., rules: MergeRules = MergeRules()) async throws -> MergeCounts {
        try await store.merge(MergeBatch("Account", fetched, rules: rules)).counts
    }

    private func name(_ number: Int) async -> String? {
        await store.record(.test(number), of: "Account")?.fields["Name"]?.string
    }

    @Test func `a record applied twice gives the same store, and is new once`() async throws {
        #expect(try await merge(.record(.test(1, at: Self.early))).changed == 1)
        let before = await store.records(of: "Account")
        let counts = try await merge(.record(.test(1, at: Self.early)))
        #expect(counts.changed == 0 && counts.unchanged == 1)
        #expect(await store.records(of: "Account") == before)
    }

    @Test func `a newer copy replaces, an older one is skipped`() async throws {
        _ = try await merge(.record(.test(1, name: "first", at: Self.early)))
        #expect(try await merge(.record(.test(1, name: "second", at: Self.late))).replaced == 1)
        let counts = try await merge(.record(.test(1, name: "first", at: Self.early)))
        #expect(counts.older == 1 && counts.changed == 0)
        #expect(await name(1) == "second")
    }

    @Test func `the same stamp replaces without being news`() async throws {
        _ = try await merge(.record(.test(1, name: "first", at: Self.early)))
        #expect(try await merge(.record(.test(1, name: "again", at: Self.early))).unchanged == 1)
        #expect(await name(1) == "again")
    }

    @Test func `the system's stamp decides before the user's`() async throws {
        func record(system: String, user: String, _ name: String) -> FetchedRecord {
            var record = ServerRecord.test(1, name: name, at: system)
            record.fields["LastModifiedDate"] = .string(user)
            return .record(record)
        }
        _ = try await merge(record(system: Self.early, user: Self.late, "first"))
        #expect(try await merge(record(system: Self.late, user: Self.early, "second")).replaced == 1)
    }

    @Test(arguments: ["9999-12-31T23:59:59.999Z", "3000-01-01T00:00:00Z"])
    func `a stamp of a time far ahead does not keep true copies out for good`(absurd: String) async throws {
        _ = try await merge(.record(.test(1, name: "absurd", at: absurd)))
        #expect(try await merge(.record(.test(1, name: "true", at: Self.early))).replaced == 1)
        #expect(try await merge(.record(.test(1, name: "older", at: "1969-12-31T23:59:59.999Z"))).older == 1)
        #expect(await name(1) == "true")
    }

    @Test func `without a common stamp a difference is news`() async throws {
        _ = try await merge(.record(.test(1, name: "first")))
        #expect(try await merge(.record(.test(1, name: "first"))).unchanged == 1)
        #expect(try await merge(.record(.test(1, name: "second", at: Self.early))).replaced == 1)
    }

    @Test(arguments: [LocalRecord.Changes.created, .updated, .deleted])
    func `a dirty record is never touched`(changes: LocalRecord.Changes) async throws {
        let dirty = LocalRecord(.test(1, name: "mine", at: Self.early), changes: changes)
        await store.put(dirty, of: "Account")
        let counts = try await merge(.record(.test(1, name: "theirs", at: Self.late)))
        #expect(counts.dirty == 1 && counts.changed == 0)
        #expect(try await merge(.missing(.test(1))).dirtyMissing == [.test(1)])
        #expect(await store.record(.test(1), of: "Account") == dirty)
    }

    @Test func `a missing record is removed where it is clean`() async throws {
        _ = try await merge(.record(.test(1)))
        #expect(try await merge(.missing(.test(1)), .missing(.test(2))).removed == 1)
        #expect(await store.records(of: "Account").isEmpty)
        #expect(try await merge(.missing(.test(1))).absent == 1)
    }

    @Test func `any order of arrival ends with the newest copy`() async throws {
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
                _ = try await store.merge(MergeBatch("Account", [.record(next)]))
            }
            #expect(await store.record(.test(1), of: "Account")?.fields["Name"] == "3")
        }
    }

    @Test func `overwriting gives up an edit, but never goes back in time or removes it`() async throws {
        let rules = MergeRules(mode: .overwrite)
        await store.put(LocalRecord(.test(1, name: "mine", at: Self.late), changes: .updated), of: "Account")
        #expect(try await merge(.record(.test(1, name: "old", at: Self.early)), rules: rules).older == 1)
        #expect(try await merge(.missing(.test(1)), rules: rules).dirtyMissing == [.test(1)])
        #expect(try await merge(.record(.test(1, name: "theirs", at: Self.late)), rules: rules).replaced == 1)
        #expect(await store.record(.test(1), of: "Account")?.isDirty == false)
        #expect(await name(1) == "theirs")
    }

    @Test func `a missing record is marked where the app wants that, once, and comes back as news`() async throws {
        let rules = MergeRules(missing: .mark)
        _ = try await merge(.record(.test(1, at: Self.early)))
        #expect(try await merge(.missing(.test(1)), rules: rules).changed == 1)
        #expect(try await merge(.missing(.test(1)), rules: rules).changed == 0)
        #expect(await store.record(.test(1), of: "Account")?.isGone == true)
        #expect(try await merge(.record(.test(1, at: Self.early)), rules: rules).changed == 1)
        #expect(await store.record(.test(1), of: "Account")?.isGone == false)
    }

    @Test func `a deletion older than the local copy was undone since`() async throws {
        _ = try await merge(.record(.test(1, at: Self.late)))
        let early = try #require(ServerDate(Self.early))
        #expect(try await merge(.deleted(.test(1), at: early)).older == 1)
        let late = try #require(ServerDate(Self.late))
        #expect(try await merge(.deleted(.test(1), at: late)).removed == 1)
    }

    @Test func `the echo of an upload is no news, and a copy from before it is skipped`() async throws {
        var local = LocalRecord(.test(1, name: "base", at: "2026-05-20T20:00:00Z"))
        local.uploaded = ServerDate(Self.late)
        await store.put(local, of: "Account")
        #expect(try await merge(.record(.test(1, name: "between", at: Self.early))).older == 1)
        let counts = try await merge(.record(.test(1, name: "echo", at: Self.late)))
        #expect(counts.unchanged == 1 && counts.changed == 0)
        #expect(await name(1) == "echo")
    }

    @Test func `what changed behind an upload is news, also where its own date still stands beside it`() async throws {
        var local = LocalRecord(.test(1, name: "base", at: "2026-05-20T20:00:00Z"))
        local.uploaded = ServerDate(Self.early)
        await store.put(local, of: "Account")
        var record = ServerRecord.test(1, name: "by a flow", at: Self.early)
        record.fields["LastModifiedDate"] = .string(Self.early)
        record.fields["SystemModstamp"] = .string(Self.late)
        #expect(try await merge(.record(record)).changed == 1)
        #expect(await name(1) == "by a flow")
    }

    @Test func `answers for another user are refused`() async throws {
        try await store.logIn("005xx000001X8Uz", discardingEdits: false)
        await #expect(throws: SyncStoreError.otherUser) {
            try await store.merge(MergeBatch("Account", [.record(.test(1))], user: "005xx000001X8Uy"))
        }
        #expect(await store.records(of: "Account").isEmpty)
    }

    @Test func `another user finds nothing, and unsent edits are not lost unasked`() async throws {
        try await store.logIn("a", discardingEdits: false)
        _ = try await merge(.record(.test(1)))
        await store.keep(Hint(type: "T", object: "Account", records: [.test(2)]))
        await store.put(LocalRecord(.test(3), changes: .updated), of: "Account")
        await #expect(throws: SyncStoreError.unsentEdits(1)) { try await store.logIn("b", discardingEdits: false) }
        #expect(await store.user() == "a")
        try await store.logIn("b", discardingEdits: true)
        #expect(await store.records(of: "Account").isEmpty)
        #expect(await store.pending(of: "Account", after: nil).isEmpty)
    }
}
