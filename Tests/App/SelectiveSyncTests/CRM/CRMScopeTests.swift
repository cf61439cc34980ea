import PushDispatch
import SelectiveSync
import Testing

/// The part of the data that belongs to the user.
struct CRMScopeTests {
    private static func filter(_ user: String) -> RecordFilter { .compare(field: "OwnerId", .equal, .string(user)) }

    private static func world(user: String? = CRMWorld.user) throws -> CRMWorld {
        try CRMWorld(user: user) { $0.filters = { user in ["Account": filter(user)] } }
    }

    private func expectFilters(_ user: String, _ world: CRMWorld, _ location: SourceLocation = #_sourceLocation) async {
        let filters = await world.server.filters
        #expect(!filters.isEmpty && filters.contains(Self.filter(user)), sourceLocation: location)
        // A query for records that have left the scope has no filter.
        #expect(filters.allSatisfy { $0 == nil || $0 == Self.filter(user) }, sourceLocation: location)
    }

    @Test func `the filter names the user who is logged in at the start`() async throws {
        let world = try Self.world()
        await world.crm.refresh()
        await expectFilters(CRMWorld.user, world)
    }

    @Test func `the filter names the user who logs in, from the first request`() async throws {
        let world = try Self.world(user: nil)
        try await world.crm.logIn(CRMWorld.other, tokens: CRMWorld.tokens(of: CRMWorld.other))
        await world.crm.refresh()
        await expectFilters(CRMWorld.other, world)
    }

    @Test(arguments: [false, true]) func `after a change of user it names the new one`(isLoggedOut: Bool) async throws {
        let world = try CRMWorld()
        try await world.crm.setFilter(Self.filter(CRMWorld.user), of: "Account")
        await world.crm.refresh()
        await expectFilters(CRMWorld.user, world)
        let before = await world.server.filters.count
        if isLoggedOut { try await world.crm.logOut(erasing: true) }
        try await world.crm.logIn(CRMWorld.other, tokens: CRMWorld.tokens(of: CRMWorld.other))
        await world.crm.refresh()
        let later = await world.server.filters.dropFirst(before)
        #expect(!later.isEmpty && later.allSatisfy { $0 == nil })
    }

    @Test func `a filter and a resync make a refresh due`() async throws {
        let world = try CRMWorld()
        await world.server.put(1, "A")
        await world.crm.refresh()
        try await world.crm.setFilter(Self.filter("x"), of: "Account")
        await world.crm.deviceUnlocked()
        #expect(await world.server.filters.contains(Self.filter("x")))
        let before = await world.server.calls.count
        try await world.crm.resync("Account")
        await world.crm.deviceUnlocked()
        #expect(await world.server.calls.count > before)
    }
}
