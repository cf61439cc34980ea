import PushDispatch
import SelectiveSync
import Testing

/// Edits from screens that show an older copy, and uploads whose answers are lost: nothing is lost, doubled or widened.
struct EditUploadTests {
    private let server = EditServer()
    private let store = MemoryRecordStore()
    private let key = RecordKey.server(.test(1))

    private func sync(keyed: Bool = true) -> RecordSync {
        var account = SyncObject("Account", fields: ["Name", "Type", "ParentId"])
        var contact = SyncObject("Contact", fields: ["Name", "AccountId"])
        account.externalIDField = keyed ? "Key__c" : nil
        contact.externalIDField = account.externalIDField
        return RecordSync(objects: [contact, account], fetcher: server, store: store, clock: StillClock())
    }

    @discardableResult
    private func upload(keyed: Bool = true) async -> UploadReport {
        await sync(keyed: keyed).upload("Account", to: server, until: DispatchMoment(milliseconds: 20_000))
    }

    private func uploadAll() async -> [String: UploadReport] {
        await sync().upload(to: server, until: DispatchMoment(milliseconds: 20_000))
    }

    private func edit(_ fields: [String: JSONValue]) async throws { try await edit(key, fields) }

    private func edit(_ key: RecordKey, _ fields: [String: JSONValue]) async throws {
        try await store.edit(key, of: "Account") { $0.merge(fields) { _, new in new } }
    }

    private func fetch() async throws {
        let request = FetchRequest(
            object: "Account", records: [.test(1)], fields: ["Name", "Type", "LastModifiedDate", "SystemModstamp"],
            timeoutMilliseconds: 1)
        _ = try await store.merge(MergeBatch("Account", try await server.fetch(request)))
    }

    private func atServer(_ number: Int = 1) async -> [String: JSONValue] { await server.records[.test(number)] ?? [:] }

    private func lastWrite() async -> RecordWrite? { await server.writes.last?.write }

    @Test func `a new record that is edited during its upload is one record at the server`() async throws {
        let new = try await store.create(["Name": "Acme"], of: "Account")
        await server.interrupt(call: 1) { [store] in
            try? await store.edit(new, of: "Account") { $0["Name"] = "Acme Ltd" }
        }
        await upload()
        // The screen still has the former key.
        try await edit(new, ["Type": "x"])
        #expect(await upload().uploaded == 1)
        #expect(await server.records.count == 1)
        #expect(await atServer(901)["Name"] == "Acme Ltd")
        #expect(await store.records(of: "Account").map(\.isDirty) == [false])
    }

    @Test func `a second edit before the answer to the first is not in conflict with it`() async throws {
        await server.put(.test(1), ["Name": "A"])
        try await fetch()
        try await edit(["Name": "B"])
        await server.interrupt(call: 3) { try? await edit(["Name": "C"]) }
        #expect(await upload().conflicts.isEmpty)
        #expect(await upload().conflicts.isEmpty)
        #expect(await atServer()["Name"] == "C")
    }

    @Test func `an edit over a copy that was refreshed meanwhile sends its own field alone`() async throws {
        await server.put(.test(1), ["Name": "A", "Type": "x"])
        try await fetch()
        await server.put(.test(1), ["Type": "by a flow"], isAutomatic: true)
        try await fetch()
        try await edit(["Name": "B"])
        #expect(await upload().uploaded == 1)
        guard case .update(_, let fields, _)? = await lastWrite() else { throw TestError() }
        #expect(fields == ["Name": "B"])
        #expect(await atServer()["Type"] == "by a flow")
    }

    @Test func `what the server has made of a change is in the store after the upload`() async throws {
        await server.put(.test(1), ["Name": "A", "Type": "x"])
        try await fetch()
        try await edit(["Name": "b"])
        await server.interrupt(call: 4) { [server] in
            await server.put(.test(1), ["Name": "B", "Type": "by a flow"], isAutomatic: true)
        }
        await upload()
        #expect(await store.record(key, of: "Account")?.isDirty == false)
        #expect(await store.record(key, of: "Account")?.fields["Name"] == "B")
        try await edit(["Type": "mine"])
        #expect(await upload().conflicts.isEmpty)
        #expect(await atServer()["Name"] == "B")
    }

    @Test func `an answer that is lost neither doubles an edit nor contradicts the next one`() async throws {
        await server.put(.test(1), ["Name": "A"])
        try await fetch()
        try await edit(["Name": "B"])
        await server.loseAnswer(of: 3)
        #expect(await upload().state == .failed)
        try await edit(["Name": "C"])
        #expect(await upload().conflicts.isEmpty)
        #expect(await atServer()["Name"] == "C")
    }

    @Test func `an edit that is undone after its upload is undone at the server too`() async throws {
        await server.put(.test(1), ["Name": "A"])
        try await fetch()
        try await edit(["Name": "B"])
        await server.loseAnswer(of: 3)
        await upload()
        try await edit(["Name": "A"])
        #expect(await upload().uploaded == 1)
        #expect(await atServer()["Name"] == "A")
    }

    @Test func `a new record whose answer is lost is not created again`() async throws {
        let new = try await store.create(["Name": "Acme"], of: "Account")
        await server.loseAnswer(of: 1)
        #expect(await upload().state == .failed)
        try await edit(new, ["Name": "Acme Ltd"])
        await server.put(.test(901), ["Type": "by somebody else"])
        #expect(await upload().uploaded == 2)
        #expect(await server.records.count == 1)
        #expect(await atServer(901)["Name"] == "Acme Ltd")
        #expect(await atServer(901)["Type"] == "by somebody else")
        #expect(await store.records(of: "Account").map(\.key) == [.server(.test(901))])
    }

    @Test func `a new record whose answer is lost contradicts a change by somebody else`() async throws {
        let new = try await store.create(["Name": "Acme"], of: "Account")
        await server.loseAnswer(of: 1)
        await upload()
        try await edit(new, ["Name": "mine"])
        await server.put(.test(901), ["Name": "theirs"])
        #expect(await upload().conflicts == [.server(.test(901))])
        #expect(await atServer(901)["Name"] == "theirs")
    }

    @Test func `an edit of a new record contradicts others' changes that a sync brought first`() async throws {
        let new = try await store.create(["Name": "Acme"], of: "Account")
        await server.loseAnswer(of: 1)
        await upload()
        try await edit(new, ["Name": "mine"])
        let version = await server.put(.test(901), ["Name": "theirs", "Type": .null, "ParentId": .null])
        _ = try await store.merge(MergeBatch("Account", [.record(version)]))
        try await edit(.server(.test(901)), ["Type": "mine"])
        #expect(await upload().conflicts == [.server(.test(901))])
        #expect(await atServer(901)["Name"] == "theirs")
        #expect(await store.records(of: "Account").map(\.conflict?.fields) == [["Name"]])
    }

    @Test func `a new record that is deleted after a lost answer is deleted at the server`() async throws {
        let new = try await store.create(["Name": "Acme"], of: "Account")
        await server.loseAnswer(of: 1)
        await upload()
        try await store.delete(new, of: "Account")
        #expect(await upload().state == .done)
        #expect(await server.records.isEmpty)
        #expect(await store.records(of: "Account").isEmpty)
    }

    @Test func `a new record that is deleted after a lost answer contradicts a value by somebody else`() async throws {
        let new = try await store.create(["Name": "Acme"], of: "Account")
        await server.loseAnswer(of: 1)
        await upload()
        try await store.delete(new, of: "Account")
        await server.put(.test(901), ["Type": "by somebody else"])
        #expect(await upload().conflicts == [.server(.test(901))])
        #expect(await atServer(901)["Type"] == "by somebody else")
        try await store.resolve(.server(.test(901)), of: "Account", .mine)
        #expect(await upload().state == .done)
        #expect(await server.records.isEmpty)
    }

    @Test func `a creation that never arrived is sent again`() async throws {
        try await store.create(["Name": "Acme"], of: "Account")
        await server.fail(call: 1, FetchError(.network, advice: .retryLater, "x"))
        #expect(await upload().state == .failed)
        #expect(await upload().uploaded == 1)
        #expect(await server.records.count == 1)
    }

    @Test func `without an external id a new record is created alone`() async throws {
        for _ in 1...3 { try await store.create(["Name": "Acme"], of: "Account") }
        #expect(await upload(keyed: false).uploaded == 3)
        #expect(await server.writes.map(\.count) == [1, 1, 1])
        for _ in 1...3 { try await store.create(["Name": "Acme"], of: "Account") }
        #expect(await upload().uploaded == 3)
        #expect(await server.writes.map(\.count).suffix(3) == [3, 3, 3])
    }

    @Test func `a record that was made offline is uploaded before those that refer to it`() async throws {
        let grandparent = try await store.create(["Name": "a"], of: "Account")
        let parent = try await store.create(["Name": "b", "ParentId": .string("\(grandparent)")], of: "Account")
        let child = try await store.create(["Name": "c", "AccountId": .string("\(parent)")], of: "Contact")
        let reports = await uploadAll()
        #expect(reports["Account"]?.uploaded == 2 && reports["Contact"]?.uploaded == 1)
        #expect(reports.values.flatMap(\.waiting) == [])
        let id = try #require(await store.record(parent, of: "Account")?.key.id)
        #expect(await store.record(child, of: "Contact")?.fields["AccountId"]?.string == "\(id)")
        for (write, _) in await server.writes {
            guard case .upsert(_, _, let fields) = write else { throw TestError() }
            let local = fields.values.compactMap(\.string).filter { $0.hasPrefix("local_") }
            #expect(local.isEmpty)
        }
        // A screen that still has the former key of the parent.
        try await store.edit(child, of: "Contact") { $0["AccountId"] = .string("\(grandparent)") }
        #expect(await store.record(child, of: "Contact")?.references.isEmpty == true)
    }

    @Test func `a record whose reference leads nowhere is refused, and one in a circle waits`() async throws {
        let parent = try await store.create(["Name": "a"], of: "Account")
        let child = try await store.create(["Name": "b", "ParentId": .string("\(parent)")], of: "Account")
        try await edit(parent, ["ParentId": .string("\(child)")])
        #expect(Set(await upload().waiting) == [parent, child])
        try await store.delete(parent, of: "Account")
        #expect(await upload().refused == [child])
        #expect(await store.record(child, of: "Account")?.lastError?.contains("\(parent)") == true)
        #expect(await server.writes.isEmpty)
    }

    @Test func `the condition is the last change by a user that was read`() async throws {
        await server.put(.test(1), ["Name": "A", "Type": "x"])
        try await fetch()
        let read = await atServer()["LastModifiedDate"]?.string.flatMap { ServerDate($0) }
        await server.put(.test(1), ["Type": "by a flow"], isAutomatic: true)
        try await edit(["Name": "B"])
        await upload()
        guard case .update(_, _, let date)? = await lastWrite() else { throw TestError() }
        #expect(date == read)
    }

    @Test func `a change between read and call is merged, and the edit sent again`() async throws {
        await server.put(.test(1), ["Name": "A", "Type": "x"])
        try await fetch()
        try await edit(["Name": "B"])
        await server.interrupt(call: 3) { [server] in await server.put(.test(1), ["Type": "theirs"]) }
        #expect(await upload().uploaded == 1)
        #expect(await atServer()["Name"] == "B")
        #expect(await atServer()["Type"] == "theirs")
    }

    @Test func `a record that was changed before its deletion is uploaded stays`() async throws {
        await server.put(.test(1), ["Name": "A"])
        try await fetch()
        try await store.delete(key, of: "Account")
        await server.put(.test(1), ["Name": "theirs"])
        #expect(await upload().conflicts == [key])
        #expect(await atServer()["Name"] == "theirs")
        try await store.resolve(key, of: "Account", .mine)
        #expect(await upload().uploaded == 1)
        #expect(await server.records.isEmpty)
    }
}
