import PushDispatch
import SelectiveSync
import Testing

struct MergeDecisionTests {
    private static let early = "2026-05-20T20:49:32.000+0000"
    private static let late = "2026-05-20T20:49:33.000+0000"

    private let store = MemoryRecordStore()

    private func merge(_ fetched: FetchedRecord..., rules: MergeRules = MergeRules()) async throws -> MergeCounts {
        try await store.merge(MergeBatch("Account", fetched, rules: rules)).counts
    }

    private func name(_ number: Int) async -> String? {
        await store.record(.test(number), of: "Account")?.fields["Name"]?.string
    }

    @Test func `a record merged twice counts as a change once`() async throws {
        #expect(try await merge(.record(.test(1, at: Self.early))).changed == 1)
        let before = await store.records(of: "Account")
        let counts = try await merge(.record(.test(1, at: Self.early)))
        #expect(counts.changed == 0 && counts.unchanged == 1)
        #expect(await store.records(of: "Account") == before)
    }

    @Test func `a newer version replaces the record, an older one is skipped`() async throws {
        _ = try await merge(.record(.test(1, name: "first", at: Self.early)))
        #expect(try await merge(.record(.test(1, name: "second", at: Self.late))).replaced == 1)
        let counts = try await merge(.record(.test(1, name: "first", at: Self.early)))
        #expect(counts.older == 1 && counts.changed == 0)
        #expect(await name(1) == "second")
    }

    @Test func `the same stamp replaces the record, but is not a change`() async throws {
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
    func `a stamp far in the future does not block real versions`(absurd: String) async throws {
        _ = try await merge(.record(.test(1, name: "absurd", at: absurd)))
        #expect(try await merge(.record(.test(1, name: "true", at: Self.early))).replaced == 1)
        #expect(try await merge(.record(.test(1, name: "older", at: "1969-12-31T23:59:59.999Z"))).older == 1)
        #expect(await name(1) == "true")
    }

    @Test func `without a common stamp a difference is a change`() async throws {
        _ = try await merge(.record(.test(1, name: "first")))
        #expect(try await merge(.record(.test(1, name: "first"))).unchanged == 1)
        #expect(try await merge(.record(.test(1, name: "second", at: Self.early))).replaced == 1)
    }

    @Test func `a contradicting version is kept beside the edit, and the edit stays`() async throws {
        _ = try await merge(.record(.test(1, name: "base", at: Self.early)))
        try await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "mine" }
        let counts = try await merge(.record(.test(1, name: "theirs", at: Self.late)))
        #expect(counts.dirty == 1 && counts.changed == 0 && counts.conflicts == [.test(1)])
        let conflict = try #require(await store.record(.test(1), of: "Account")?.conflict)
        #expect(conflict.fields == ["Name"] && conflict.base["Name"] == "base")
        #expect(conflict.mine["Name"] == "mine" && conflict.theirs?["Name"] == "theirs")
    }

    @Test func `a record that is gone at the server is kept with its edit`() async throws {
        _ = try await merge(.record(.test(1, name: "base", at: Self.early)))
        try await store.edit(.server(.test(1)), of: "Account") { $0["Name"] = "mine" }
        #expect(try await merge(.missing(.test(1))).dirtyMissing == [.test(1)])
        #expect(await name(1) == "mine")
        #expect(await store.record(.test(1), of: "Account")?.conflict?.isDeletedAtServer == true)
        _ = try await merge(.record(.test(1, name: "base", at: Self.early)))
        #expect(await store.record(.test(1), of: "Account")?.conflict == nil)
    }

    @Test func `a missing record is removed if it is clean`() async throws {
        _ = try await merge(.record(.test(1)))
        #expect(try await merge(.missing(.test(1)), .missing(.test(2))).removed == 1)
        #expect(await store.records(of: "Account").isEmpty)
        #expect(try await merge(.missing(.test(1))).absent == 1)
    }

    @Test func `any order of arrival ends with the newest version`() async throws {
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

    @Test func `overwriting replaces an edit, but never with an older version, and never removes it`() async throws {
        let rules = MergeRules(mode: .overwrite)
        await store.put(LocalRecord(.test(1, name: "mine", at: Self.late), changes: .updated), of: "Account")
        #expect(try await merge(.record(.test(1, name: "old", at: Self.early)), rules: rules).older == 1)
        #expect(try await merge(.missing(.test(1)), rules: rules).dirtyMissing == [.test(1)])
        #expect(try await merge(.record(.test(1, name: "theirs", at: Self.late)), rules: rules).replaced == 1)
        #expect(await store.record(.test(1), of: "Account")?.isDirty == false)
        #expect(await name(1) == "theirs")
    }

    @Test func `a missing record is marked once if the rules say so, and its return is a change`() async throws {
        let rules = MergeRules(missing: .mark)
        _ = try await merge(.record(.test(1, at: Self.early)))
        #expect(try await merge(.missing(.test(1)), rules: rules).changed == 1)
        #expect(try await merge(.missing(.test(1)), rules: rules).changed == 0)
        #expect(await store.record(.test(1), of: "Account")?.isGone == true)
        #expect(try await merge(.record(.test(1, at: Self.early)), rules: rules).changed == 1)
        #expect(await store.record(.test(1), of: "Account")?.isGone == false)
    }

    @Test func `a deletion that is older than the local version is skipped`() async throws {
        _ = try await merge(.record(.test(1, at: Self.late)))
        let early = try #require(ServerDate(Self.early))
        #expect(try await merge(.deleted(.test(1), at: early)).older == 1)
        let late = try #require(ServerDate(Self.late))
        #expect(try await merge(.deleted(.test(1), at: late)).removed == 1)
    }

    @Test func `the uploaded version is not a change, and a version before it is skipped`() async throws {
        var local = LocalRecord(.test(1, name: "base", at: "2026-05-20T20:00:00Z"))
        local.uploaded = ServerDate(Self.late)
        await store.put(local, of: "Account")
        #expect(try await merge(.record(.test(1, name: "between", at: Self.early))).older == 1)
        let counts = try await merge(.record(.test(1, name: "echo", at: Self.late)))
        #expect(counts.unchanged == 1 && counts.changed == 0)
        #expect(await name(1) == "echo")
    }

    @Test func `a change after an upload is a change, even if the other date is still that of the upload`() async throws
    {
        var local = LocalRecord(.test(1, name: "base", at: "2026-05-20T20:00:00Z"))
        local.uploaded = ServerDate(Self.early)
        await store.put(local, of: "Account")
        var record = ServerRecord.test(1, name: "by a flow", at: Self.early)
        record.fields["LastModifiedDate"] = .string(Self.early)
        record.fields["SystemModstamp"] = .string(Self.late)
        #expect(try await merge(.record(record)).changed == 1)
        #expect(await name(1) == "by a flow")
    }

    @Test func `a field that an update of the app has added comes also to a record whose upload has no answer yet`()
        async throws
    {
        var local = LocalRecord(.test(1, name: "base", at: Self.early))
        (local.base, local.sent, local.changes) = (local.fields, ["Name": "mine"], .updated)
        local.fields["Name"] = "mine"
        await store.put(local, of: "Account")
        // Perhaps the version of before the upload: nothing else of it counts.
        var record = ServerRecord.test(1, name: "base", at: Self.early)
        record.fields["Region__c"] = "North"
        _ = try await merge(.record(record))
        let merged = try #require(await store.record(.test(1), of: "Account"))
        #expect(merged.fields["Region__c"] == "North" && merged.base?["Region__c"] == "North")
        #expect(merged.fields["Name"] == "mine" && merged.base?["Name"] == "base" && merged.sent == ["Name": "mine"])
    }
}
