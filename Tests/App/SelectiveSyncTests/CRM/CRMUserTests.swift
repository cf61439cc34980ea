import Foundation
import PushDispatch
import SelectiveSync
import Testing

/// Log-in, log-out and changes of user.
struct CRMUserTests {
    private let second = CRMWorld.tokens(of: CRMWorld.other)

    /// A device that is registered for the first user.
    private func registered(_ world: CRMWorld) async throws {
        await world.preferences.save(.test(900), of: CRMWorld.user)
        _ = try await world.server.register(
            DeviceRegistration(hexDeviceToken: "ab", bundleID: "b"), timeoutMilliseconds: 1)
        _ = try await world.crm.store()
    }

    @Test func `another user's registration is removed with that user's session, before the tokens are replaced`()
        async throws
    {
        let world = try CRMWorld()
        try await registered(world)
        let owners = Shared<[String?]>([])
        await world.server.interrupt("unregister") { [tokens = world.tokens] in
            let owner = await tokens.load()?.user
            owners.change { $0.append(owner) }
        }
        try await world.crm.logIn(CRMWorld.other, tokens: second)
        #expect(owners.value == [CRMWorld.user])
        #expect(await world.tokens.load()?.user == CRMWorld.other)
        #expect(await world.server.devices.isEmpty)
        #expect(world.crm.status.phase == .ready(user: CRMWorld.other))
        #expect(await world.store.user() == CRMWorld.other)
    }

    @Test func `the same user again keeps records, edits and registration`() async throws {
        let world = try CRMWorld()
        try await registered(world)
        await world.server.put(1, "A")
        await world.crm.refresh()
        try await world.crm.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" }
        try await world.crm.logIn(CRMWorld.user, tokens: CRMWorld.tokens(of: CRMWorld.user))
        #expect(await world.names() == ["edited"])
        #expect(await world.server.devices == [.test(900)])
    }

    @Test func `a log-in starts the first sync, and a refresh waits for it`() async throws {
        let world = try CRMWorld(user: nil)
        await world.server.put(1, "A")
        try await world.crm.logIn(CRMWorld.other, tokens: second)
        #expect(await world.crm.refresh().isDone)
        #expect(await world.names() == ["A"])
        #expect(await world.server.calls.count { $0 == "query" } <= 2)
    }

    @Test func `a log-in that would lose edits changes nothing`() async throws {
        let world = try CRMWorld()
        try await registered(world)
        await world.server.put(1, "A")
        await world.crm.refresh()
        try await world.crm.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" }
        await #expect(throws: SyncStoreError.unsentEdits(1)) {
            try await world.crm.logIn(CRMWorld.other, tokens: second)
        }
        #expect(world.crm.status.phase == .ready(user: CRMWorld.user))
        #expect(await world.tokens.load()?.user == CRMWorld.user)
        #expect(await world.server.devices == [.test(900)])
        // The first user goes on.
        let report = await world.crm.refresh()
        #expect(report.isDone && report.uploads["Account"]?.uploaded == 1)
    }

    @Test func `an edit of a screen that outlives its user does not reach the next one`() async throws {
        let world = try CRMWorld()
        await world.crm.refresh()
        let screen = try await world.crm.store().session()
        // The save waits for its task to run while the user changes.
        let isSaved = Shared(false)
        await world.store.hook(.change) { isSaved.change { $0 = true } }
        try await world.crm.logIn(CRMWorld.other, tokens: second)
        await #expect(throws: SyncStoreError.otherUser) {
            try await screen.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" }
        }
        #expect(isSaved.value)
        #expect(await world.store.store.dirtyRecords(of: "Account").isEmpty)
    }

    @Test func `an instance URL that is not https is refused before anything changes`() async throws {
        let world = try CRMWorld()
        var tokens = second
        tokens.instance = URL(string: "http://example.com")!
        await #expect(throws: FetchError.self) { try await world.crm.logIn(CRMWorld.other, tokens: tokens) }
        _ = try await world.crm.store()
        #expect(world.crm.status.phase == .ready(user: CRMWorld.user))
    }

    @Test func `tokens that cannot be stored leave nobody logged in`() async throws {
        actor FullStorage: TokenStorage {
            func load() -> OAuthTokens? { CRMWorld.tokens(of: CRMWorld.user) }
            func save(_ tokens: OAuthTokens) throws { throw TestError() }
            func clear() {}
        }
        let world = try CRMWorld { $0.tokens = FullStorage() }
        await #expect(throws: TestError.self) { try await world.crm.logIn(CRMWorld.other, tokens: second) }
        #expect(world.crm.status.phase == .loggedOut)
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .noData)
    }

    @Test func `a log-out removes the registration first and the tokens last`() async throws {
        let world = try CRMWorld()
        try await registered(world)
        let hadTokens = Shared<[Bool]>([])
        await world.server.interrupt("unregister") { [tokens = world.tokens] in
            let has = await tokens.load() != nil
            hadTokens.change { $0.append(has) }
        }
        try await world.crm.logOut()
        #expect(hadTokens.value == [true])
        #expect(await world.tokens.load() == nil)
        #expect(await world.server.devices.isEmpty)
        #expect(world.crm.status.phase == .loggedOut)
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .noData)
    }

    @Test func `a log-out does every step even if the store and the server fail`() async throws {
        let world = try CRMWorld()
        try await registered(world)
        await world.store.failNextForgetAll()
        await world.server.fail(FetchError(.network, advice: .retryLater, "x"))
        await #expect(throws: TestError.self) { try await world.crm.logOut() }
        #expect(await world.tokens.load() == nil)
        #expect(world.crm.status.phase == .loggedOut)
        #expect(world.events.value.contains(.logOutFailed(errorType: "TestError")))
        try await world.crm.logOut()
    }

    @Test func `a log-out with a store that cannot be opened ends the session`() async throws {
        let world = try CRMWorld()
        world.lock.change { $0 = true }
        try await world.crm.logOut()
        #expect(await world.tokens.load() == nil)
        world.lock.change { $0 = false }
        _ = try await world.crm.store()
        #expect(world.crm.status.phase == .loggedOut)
    }

    @Test func `a log-out that would erase unsent edits is refused, and the user goes on`() async throws {
        let world = try CRMWorld()
        try await registered(world)
        await world.server.put(1, "A")
        await world.crm.refresh()
        try await world.crm.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" }
        await #expect(throws: SyncStoreError.unsentEdits(1)) { try await world.crm.logOut(erasing: true) }
        #expect(world.crm.status.phase == .ready(user: CRMWorld.user))
        #expect(await world.tokens.load()?.user == CRMWorld.user)
        #expect(await world.server.devices == [.test(900)])
        #expect(await world.names() == ["edited"])
        let report = await world.crm.refresh()
        #expect(report.isDone && report.uploads["Account"]?.uploaded == 1)
    }

    @Test(arguments: [true, false])
    func `an erasing log-out leaves nothing of the user`(hasEdits: Bool) async throws {
        let world = try CRMWorld()
        try await registered(world)
        await world.server.put(1, "A")
        await world.crm.refresh()
        if hasEdits { try await world.crm.edit(.server(.test(1)), of: "Account") { $0["Name"] = "edited" } }
        try await world.crm.logOut(erasing: true, discardingEdits: hasEdits)
        #expect(world.crm.status.phase == .loggedOut && world.crm.status.lastSync == nil)
        #expect(await world.tokens.load() == nil)
        #expect(await world.server.devices.isEmpty)
        #expect(await world.names().isEmpty)
        #expect(await world.store.user() == nil)
        #expect(await world.store.progress(of: "Account") == SyncProgress())
    }

    @Test func `an erasing log-out with a store that cannot be opened ends the session and throws`()
        async throws
    {
        let world = try CRMWorld()
        world.lock.change { $0 = true }
        await #expect(throws: CRMSyncError.self) { try await world.crm.logOut(erasing: true) }
        #expect(await world.tokens.load() == nil)
        world.lock.change { $0 = false }
        try await world.crm.logOut(erasing: true)
        #expect(world.crm.status.phase == .loggedOut)
        #expect(await world.store.user() == nil)
    }

    @Test func `a push during a log-out waits, and is then ignored`() async throws {
        let world = try CRMWorld()
        _ = try await world.crm.store()
        let push = Shared<Task<PushResult, Never>?>(nil)
        await world.store.hook(.forgetAll) { [crm = world.crm] in
            #expect(crm.status.phase == .changingUser)
            let task = Task { await crm.handle(CRMWorld.push(1), from: .background) }
            push.change { $0 = task }
        }
        try await world.crm.logOut()
        #expect(await push.value?.value == .noData)
        #expect(await world.server.calls.isEmpty)
    }

    @Test func `a log-out waits for an edit that is being stored, and lets no other begin`() async throws {
        let world = try CRMWorld()
        _ = try await world.crm.store()
        let (reached, gate) = (TestSignal(), TestSignal())
        await world.store.hook(.change) {
            await reached.give()
            await gate.wait()
        }
        let edit = Task { try await world.crm.create(["Name": "new"], of: "Account") }
        await reached.wait()
        let logOut = Task { try await world.crm.logOut() }
        for await status in world.crm.statuses() where status.phase == .changingUser { break }
        await #expect(throws: CRMSyncError.changingUser) { try await world.crm.create([:], of: "Account") }
        #expect(await world.tokens.load() != nil)
        await gate.give()
        _ = try await edit.value
        try await logOut.value
        #expect(await world.names() == ["new"])
        #expect(world.crm.status.phase == .loggedOut)
    }

    @Test func `a refresh of the former user ends with the change, and that of the next is complete`() async throws {
        let world = try CRMWorld()
        await world.server.put(1, "A")
        let reports = Shared<[CRMRefreshReport]>([])
        await world.server.interrupt("query") { [crm = world.crm, second] in
            // A task of its own: the log-in cancels that of the former refresh, and a cancelled caller takes its refresh with it.
            await Task {
                try? await crm.logIn(CRMWorld.other, tokens: second)
                let report = await crm.refresh()
                reports.change { $0.append(report) }
            }.value
        }
        let former = await world.crm.refresh()
        #expect(!former.isDone)
        #expect(reports.value.first?.isDone == true, "\(reports.value), \(world.events.value)")
        #expect(await world.names() == ["A"])
        #expect(world.crm.status.progress == nil)
    }
}
