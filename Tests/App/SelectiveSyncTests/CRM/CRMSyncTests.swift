import PushDispatch
import SelectiveSync
import Testing

struct CRMSyncTests {
    @Test func `a push fetches its record for the user of the last launch`() async throws {
        let world = try CRMWorld()
        await world.server.put(1, "A")
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .newData)
        #expect(await world.names() == ["A"])
        #expect(world.crm.status.phase == .ready(user: CRMWorld.user))
    }

    @Test func `a refresh uploads edits, syncs every object and says when`() async throws {
        let world = try CRMWorld()
        await world.server.put(1, "A")
        #expect(await world.crm.refresh().isDone)
        try await world.crm.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" }
        #expect(await world.server.name(1) == "A")
        let report = await world.crm.refresh()
        #expect(report.isDone && report.uploads["Account"]?.uploaded == 1)
        #expect(await world.server.name(1) == "edited")
        #expect(world.crm.status.lastSync == ServerDate(millisecondsSince1970: 1_700_000_000_000))
        #expect(world.crm.status.progress == nil)
    }
}
