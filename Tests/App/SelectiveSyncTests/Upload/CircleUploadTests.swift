import PushDispatch
import SelectiveSync
import Testing

/// New records that refer to each other.
struct CircleUploadTests {
    private let server = EditServer()
    private let store = MemoryRecordStore()

    private func upload() async -> [String: UploadReport] {
        var account = SyncObject("Account", fields: ["Name", "ParentId", "Contact__c"])
        var contact = SyncObject("Contact", fields: ["Name", "AccountId"])
        account.externalIDField = "Key__c"
        contact.externalIDField = "Key__c"
        let sync = RecordSync(objects: [contact, account], fetcher: server, store: store, clock: StillClock())
        return await sync.upload(to: server, until: DispatchMoment(milliseconds: 20_000))
    }

    private func id(_ key: RecordKey, of object: String) async throws -> JSONValue {
        .string("\(try #require(await store.record(key, of: object)?.key.id))")
    }

    @Test func `an account and its main contact are both created, and refer to each other`() async throws {
        let account = try await store.create(["Name": "a"], of: "Account")
        let contact = try await store.create(["Name": "c", "AccountId": .string("\(account)")], of: "Contact")
        try await store.edit(account, of: "Account") { $0["Contact__c"] = .string("\(contact)") }
        let reports = await upload()
        #expect(reports.values.flatMap(\.waiting) == [])
        #expect(await store.record(account, of: "Account")?.isDirty == false)
        #expect(await store.record(contact, of: "Contact")?.isDirty == false)
        let (atServer, ids) = (
            await server.records, (try await id(account, of: "Account"), try await id(contact, of: "Contact"))
        )
        #expect(atServer.count == 2)
        #expect(
            atServer.values.contains { $0["AccountId"] == ids.0 }
                && atServer.values.contains { $0["Contact__c"] == ids.1 })
    }

    @Test func `a record that refers to itself is created`() async throws {
        let account = try await store.create(["Name": "a"], of: "Account")
        try await store.edit(account, of: "Account") { $0["ParentId"] = .string("\(account)") }
        _ = await upload()
        let own = try await id(account, of: "Account")
        #expect(await server.records.values.map { $0["ParentId"] } == [own])
        #expect(await store.record(account, of: "Account")?.isDirty == false)
    }

    @Test func `only a circle is found, not what leads to it or from it`() {
        let keys = (1...5).map { RecordKey.local($0) }
        let circle = ReferenceCircle(in: [
            keys[0]: [keys[1]], keys[1]: [keys[2]], keys[2]: [keys[1], keys[3]], keys[3]: [keys[4]],
        ])
        #expect(circle?.members == [keys[1], keys[2]] && circle?.first == keys[1])
        #expect(ReferenceCircle(in: [keys[0]: [keys[1]], keys[1]: [keys[2]]]) == nil)
        #expect(ReferenceCircle(in: [keys[0]: [keys[0]]])?.members == [keys[0]])
        #expect(ReferenceCircle(in: [:]) == nil)
    }
}
