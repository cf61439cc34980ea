import Foundation
import PushDispatch
import SelectiveSync
import Testing

/// The process is started before the device is unlocked, or its store is damaged.
struct CRMOpeningTests {
    /// The keychain before the first unlock.
    private actor LockedTokens: TokenStorage {
        private var isLocked = true

        func unlock() { isLocked = false }
        func load() throws -> OAuthTokens? {
            guard !isLocked else { throw TokenStorageError(.locked) }
            return CRMWorld.tokens(of: CRMWorld.user)
        }
        func save(_ tokens: OAuthTokens) {}
        func clear() {}
    }

    @Test func `a push before the first unlock fails, and what it named comes after the unlock`() async throws {
        let world = try CRMWorld()
        world.lock.change { $0 = true }
        await world.server.put(1, "A")
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .failed)
        #expect(world.crm.status.phase == .locked && world.crm.status.problem != nil)
        #expect(world.events.value == [.notOpened(errorType: "TestError"), .pushMissed(.background)])
        #expect(await world.server.calls.isEmpty)

        world.lock.change { $0 = false }
        await world.crm.deviceUnlocked()
        #expect(await world.names() == ["A"])
        #expect(world.crm.status.phase == .ready(user: CRMWorld.user) && world.crm.status.problem == nil)
    }

    @Test func `the next push opens the store`() async throws {
        let world = try CRMWorld()
        world.lock.change { $0 = true }
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .failed)
        world.lock.change { $0 = false }
        await world.server.put(2, "B")
        // The refresh that is due may have fetched the record before the push does.
        #expect(await world.crm.handle(CRMWorld.push(2), from: .background) != .failed)
        #expect(await world.names() == ["B"])
        #expect(world.opened.value == 2)
    }

    @Test func `tokens that cannot be decoded are replaced by a log-in`() async throws {
        actor Damaged: TokenStorage {
            private var tokens: OAuthTokens?
            func load() throws -> OAuthTokens? {
                guard let tokens else { throw TokenStorageError(.unreadable) }
                return tokens
            }
            func save(_ tokens: OAuthTokens) { self.tokens = tokens }
            func clear() {}
        }
        let world = try CRMWorld { $0.tokens = Damaged() }
        _ = try await world.crm.store()
        #expect(world.crm.status.phase == .loggedOut && world.crm.status.problem != nil)
        try await world.crm.logIn(CRMWorld.user, tokens: CRMWorld.tokens(of: CRMWorld.user))
        #expect(world.crm.status.phase == .ready(user: CRMWorld.user) && world.crm.status.problem == nil)
    }

    @Test func `tokens that cannot be read yet are read at the next occasion`() async throws {
        let tokens = LockedTokens()
        let world = try CRMWorld { $0.tokens = tokens }
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .failed)
        #expect(world.opened.value == 0)
        await tokens.unlock()
        await world.server.put(1, "A")
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) != .failed)
        #expect(await world.names() == ["A"])
    }

    @Test func `a push that waits for the store is answered by its deadline`() async throws {
        let clock = StepClock()
        let hanging = TestSignal()
        let world = try CRMWorld(clock: clock) { configuration in
            let store = configuration.store
            configuration.store = StoreOpener {
                await hanging.wait()
                return StoreOpener.Opened(MemoryRecordStore())
            }
            _ = store
        }
        clock.advance(to: 1_000)
        async let result = world.crm.handle(CRMWorld.push(1), from: .background)
        // 25 seconds after the call, less a second to report.
        await clock.isAwaited(at: 25_000)
        clock.advance(to: 25_000)
        #expect(await result == .failed)
        #expect(world.events.value.contains(.pushMissed(.background)))
        await hanging.give()
    }

    @Test func `calls that come together open the store once`() async throws {
        let world = try CRMWorld()
        let gate = TestSignal()
        await world.store.hook(.logIn) { await gate.wait() }
        async let first = world.crm.handle(CRMWorld.push(1), from: .background)
        async let second = world.crm.handle(CRMWorld.push(2), from: .background)
        async let third = world.crm.store()
        await gate.give()
        _ = try await (first, second, third)
        #expect(world.opened.value == 1)
    }

    @Test func `without tokens nobody is logged in, and pushes are ignored`() async throws {
        let world = try CRMWorld(user: nil)
        try await world.store.store.logIn(CRMWorld.user, discardingEdits: false)
        #expect(await world.crm.handle(CRMWorld.push(1), from: .background) == .noData)
        #expect(world.crm.status.phase == .loggedOut)
        #expect(await world.crm.refresh().problem == .loggedOut)
        #expect(await world.server.calls.isEmpty)
        await #expect(throws: CRMSyncError.loggedOut) { try await world.crm.create([:], of: "Account") }
    }

    @Test func `tokens of an earlier version belong to the owner of the store`() async throws {
        let world = try CRMWorld(user: nil)
        var tokens = CRMWorld.tokens(of: CRMWorld.user)
        tokens.user = nil
        await world.tokens.save(tokens)
        try await world.store.store.logIn("ada", discardingEdits: false)
        _ = try await world.crm.store()
        #expect(world.crm.status.phase == .ready(user: "ada"))
    }

    @Test func `edits of another user keep the store closed to the user of the tokens until a log-in decides`()
        async throws
    {
        let world = try CRMWorld()
        try await world.store.store.logIn(CRMWorld.other, discardingEdits: false)
        await world.store.store.put(
            LocalRecord(.server(.test(1)), fields: ["Name": "x"], changes: .updated), of: "Account")
        _ = try await world.crm.store()
        #expect(world.crm.status.phase == .loggedOut && world.crm.status.problem != nil)
        let tokens = CRMWorld.tokens(of: CRMWorld.user)
        await #expect(throws: SyncStoreError.unsentEdits(1)) {
            try await world.crm.logIn(CRMWorld.user, tokens: tokens)
        }
        try await world.crm.logIn(CRMWorld.user, tokens: tokens, discardingEdits: true)
        #expect(world.crm.status.phase == .ready(user: CRMWorld.user) && world.crm.status.problem == nil)
    }

    @Test func `after the replacement of a damaged file every object is synced`() async throws {
        let store = MemoryRecordStore()
        let world = try CRMWorld { configuration in
            configuration.store = StoreOpener { StoreOpener.Opened(store, replacement: "two edits are lost") }
        }
        await world.server.put(1, "A")
        _ = try await world.crm.store()
        #expect(world.events.value.contains(.opened(replacement: "two edits are lost")))
        // The refresh that has started, or a new one.
        await world.crm.refresh()
        #expect(await store.records(of: "Account").count == 1)
    }

    @Test func `pushes are read for a screen before the store is open`() throws {
        let world = try CRMWorld()
        #expect(!world.crm.isShownInForeground(CRMWorld.push(1)))
        #expect(world.crm.target(of: CRMWorld.push(1)) == .record(object: "Account", .test(1)))
        let test = Push(json: Data(#"{"aps":{"alert":"Hello"},"type":"TEST"}"#.utf8))
        #expect(world.crm.isShownInForeground(test))
        let sync = Push(json: Data(#"{"aps":{"content-available":1},"type":"REGULAR_SYNC","object":"Account"}"#.utf8))
        #expect(!world.crm.isShownInForeground(sync) && world.crm.target(of: sync) == .object("Account"))
        #expect(world.opened.value == 0)
    }
}
