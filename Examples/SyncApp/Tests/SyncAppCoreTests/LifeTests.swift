import PushDispatch
import PushDispatchTesting
import SelectiveSync
import SyncAppCore
import Testing

/// The app's process from launch to background refresh, by the calls of the adapters for UIKit.
struct LifeTests {
    @Test func `without permission the app registers its device and takes silent pushes`() async throws {
        try await withWorld { world in
            let crm = try world.launched()
            let setup = world.setup()
            crm.start()
            await setup.launched()
            #expect(await world.system.isRegistered)
            let active = Task { await setup.becameActive() }
            await world.system.asked()
            // The user has not answered, and nothing waits for it.
            await crm.received(deviceToken: [0xAB, 0xCD])
            #expect(await registered(world) == ["abcd"])
            world.server.edit(World.northwind, name: "Nord")
            #expect(try await world.phone(with: crm).receive(.accountUpdate).result == .newData)
            #expect(try await world.name == "Nord")

            await world.system.userAnswers(false)
            await active.value
            #expect(world.log.counts["permission.refused"] == 1)
            await setup.becameActive()
            #expect(await world.system.questions == 1)
        }
    }

    @Test func `a launch in the background asks the user nothing`() async throws {
        try await withWorld { world in
            let crm = try world.launched()
            crm.start()
            await world.setup().launched()
            #expect(await crm.refresh().isDone)
            #expect(await world.system.questions == 0)
        }
    }

    @Test func `woken before the first unlock, the app fails the push and catches up when it is unlocked`() async throws
    {
        try await withWorld { world in
            world.disk.setLocked(true)
            let crm = try world.launched()
            crm.start()
            world.server.edit(World.northwind, name: "Nord")
            #expect(await crm.handle(.accountUpdate, from: .background) == .failed)
            #expect(crm.status.phase == .locked)
            #expect(world.log.counts["push.missed"] == 1)
            // Another record changes, and its push is lost.
            world.server.edit(RecordID("001xx000003DGb3AAG")!, name: "Ost")

            world.disk.setLocked(false)
            await crm.deviceUnlocked()
            #expect(crm.status.phase == .ready(user: World.user))
            for try await records in try await crm.store().observe("Account") where records.count == 2 { break }
            #expect(try await world.name == "Nord")
        }
    }

    @Test func `a push after the unlock opens the store by itself`() async throws {
        try await withWorld { world in
            world.disk.setLocked(true)
            let crm = try world.launched()
            #expect(await crm.handle(.accountUpdate, from: .background) == .failed)
            world.disk.setLocked(false)
            world.server.edit(World.northwind, name: "Nord")
            #expect(await crm.handle(.accountUpdate, from: .background) == .newData)
        }
    }

    @Test func `the user logs in, gets pushes, and gets none after logging out`() async throws {
        try await withWorld(user: nil) { world in
            let crm = try world.launched()
            crm.start()
            await crm.received(deviceToken: [0xAB])
            #expect(world.server.devices.isEmpty)

            try await crm.logIn(World.user, tokens: World.tokens(of: World.user))
            #expect(await registered(world) == ["ab"])
            world.server.edit(World.northwind, name: "Nord")
            #expect(await crm.handle(.accountUpdate, from: .background) == .newData)

            try await crm.logOut()
            #expect(world.server.devices.isEmpty)
            #expect(try world.disk.load() == nil)
            let fetches = world.server.fetches
            world.server.edit(World.northwind, name: "Ost")
            #expect(try await world.phone(with: crm).receive(.accountUpdate).result == .noData)
            #expect(world.server.fetches == fetches)
        }
    }

    @Test func `what the user types logs in as soon as it is complete`() async throws {
        try await withWorld(user: nil) { world in
            var form = LogInForm()
            form.instance = "https://example.my.example.com"
            form.user = World.user
            #expect(form.tokens == nil)
            form.accessToken = "access"
            let withoutRefresh = try #require(form.tokens)
            #expect(withoutRefresh.refreshToken == nil)
            form.refreshToken = "refresh"
            let tokens = try #require(form.tokens)
            #expect(tokens == World.tokens(of: World.user))

            let crm = try world.launched()
            try await crm.logIn(form.user, tokens: tokens)
            #expect(crm.status.phase == .ready(user: World.user))
        }
    }

    @Test func `the next process knows the user`() async throws {
        try await withWorld(user: nil) { world in
            let former = try world.launched()
            try await former.logIn(World.user, tokens: World.tokens(of: World.user))
            // Joins what the log-in began. The former process would fetch the change otherwise.
            await former.refresh()
            world.server.edit(World.northwind, name: "Nord")
            let next = try world.launched()
            #expect(await next.handle(.accountUpdate, from: .background) == .newData)
            #expect(next.status.user == World.user)
        }
    }

    @Test func `edits made offline go up when the app is online again`() async throws {
        try await withWorld { world in
            world.server.edit(World.northwind, name: "Nord")
            let crm = try world.launched()
            await crm.refresh()
            await crm.networkChanged(to: .offline)
            world.server.change { $0.isDown = true }
            try await crm.edit(.server(World.northwind), of: "Account") { $0["Name"] = "Süd" }
            #expect(await crm.refresh().isOffline)
            world.server.change { $0.isDown = false }
            await crm.networkChanged(to: .unmetered)
            #expect(world.server.name(of: World.northwind) == "Süd")
            #expect(try await world.store.dirtyRecords(of: "Account").isEmpty)
        }
    }

    @Test func `a refresh in the background uploads edits and syncs what no push named`() async throws {
        try await withWorld { world in
            world.server.edit(World.northwind, name: "Nord")
            let crm = try world.launched()
            world.server.change { $0.isDown = true }
            #expect(await !crm.refresh().isDone)
            world.server.change { $0.isDown = false }
            try await world.phone.pass(minutes: 20)
            #expect(await crm.refresh().isDone)
            #expect(try await world.name == "Nord")

            try await crm.edit(.server(World.northwind), of: "Account") { $0["Name"] = "Süd" }
            #expect(await crm.refresh().isDone)
            #expect(world.server.name(of: World.northwind) == "Süd")
        }
    }

    @Test func `an edit goes up when the app leaves the screen`() async throws {
        try await withWorld { world in
            world.server.edit(World.northwind, name: "Nord")
            let crm = try world.launched()
            #expect(await crm.cameToForeground().isDone)
            try await crm.edit(.server(World.northwind), of: "Account") { $0["Name"] = "Süd" }
            for await status in crm.statuses() where status.waiting.unsent == 1 { break }
            await crm.wentToBackground()
            #expect(world.server.name(of: World.northwind) == "Süd")
        }
    }

    /// The device tokens as soon as there are any: neither a launch nor a log-in waits for the registration.
    private func registered(_ world: World) async -> [String] {
        while world.server.devices.isEmpty { await Task.yield() }
        return world.server.devices
    }
}
