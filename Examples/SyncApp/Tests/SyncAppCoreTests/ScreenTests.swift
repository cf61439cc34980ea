import PushDispatch
import PushDispatchTesting
import SelectiveSync
import SyncAppCore
import Testing

@MainActor
struct ScreenTests {
    /// A list that a screen shows.
    @MainActor
    private struct ShownList {
        let crm: CRMSync
        let list: AccountList
        let changes: AsyncStream<Void>

        /// Returns when a change has made it so.
        func changed(until isMet: () -> Bool) async {
            var iterator = changes.makeAsyncIterator()
            while !isMet() { await iterator.next() }
        }
    }

    /// Runs a test with a list that shows the account Nord, which a push has brought.
    private func withList(_ body: (World, ShownList) async throws -> Void) async throws {
        try await withWorld { world in
            let (changes, continuation) = AsyncStream.makeStream(of: Void.self)
            let crm = try world.launched()
            crm.start()
            let shown = ShownList(crm: crm, list: AccountList(crm) { _ in continuation.yield() }, changes: changes)
            let following = Task { await shown.list.run() }
            defer { following.cancel() }
            world.server.edit(World.northwind, name: "Nord")
            try await world.phone(with: crm).receive(.accountUpdate)
            await shown.changed { !shown.list.rows.isEmpty }
            try await body(world, shown)
        }
    }

    @Test func `the list shows what a push brought, and keeps an edit until it is sent`() async throws {
        try await withList { world, shown in
            let (list, phone) = (shown.list, world.phone(with: shown.crm))
            #expect(list.rows.map(\.name) == ["Nord"])

            try await list.rename(list.rows[0], to: "Nord and Süd")
            await shown.changed { list.rows.first?.isEdited == true }
            world.server.edit(World.northwind, name: "Ost")
            try await phone.pass(minutes: 1)
            #expect(try await phone.receive(.accountUpdate).result == .noData)
            #expect(try await world.name == "Nord and Süd")
        }
    }

    @Test(arguments: [ConflictResolution.mine, .theirs])
    func `a conflict is shown, and not uploaded, until the user decides`(decision: ConflictResolution) async throws {
        try await withList { world, shown in
            let (crm, list, phone) = (shown.crm, shown.list, world.phone(with: shown.crm))
            try await list.rename(list.rows[0], to: "Süd")
            try await phone.pass(minutes: 1)
            world.server.edit(World.northwind, name: "Ost")
            try await phone.receive(.accountUpdate)
            await shown.changed { !list.conflicts.isEmpty }
            #expect(list.conflicts.map(\.mine) == ["Süd"])
            #expect(list.conflicts.map(\.theirs) == ["Ost"])
            await crm.refresh()
            #expect(world.server.name(of: World.northwind) == "Ost")

            try await list.resolve(list.conflicts[0], decision)
            await shown.changed { list.conflicts.isEmpty }
            await crm.refresh()
            #expect(world.server.name(of: World.northwind) == (decision == .mine ? "Süd" : "Ost"))
            #expect(try await world.name == world.server.name(of: World.northwind))
            #expect(try await world.store.dirtyRecords(of: "Account").isEmpty)
        }
    }

    @Test func `a log-out clears the list`() async throws {
        try await withList { _, shown in
            try await shown.crm.logOut()
            await shown.changed { shown.list.rows.isEmpty }
        }
    }

    @Test func `an edit is uploaded with the regular sync, and its push brings nothing new`() async throws {
        try await withWorld { world in
            let crm = try world.launched()
            let phone = world.phone(with: crm)
            world.server.edit(World.northwind, name: "Nord")
            try await phone.receive(.accountUpdate)
            let list = AccountList(crm) { _ in }
            let record = try #require(await world.store.record(World.northwind, of: "Account"))
            try await list.rename(AccountRow(record), to: "Süd")
            try await phone.pass(minutes: 1)
            await crm.refresh()
            #expect(world.server.name(of: World.northwind) == "Süd")
            #expect(try await world.store.dirtyRecords(of: "Account").isEmpty)
            #expect(try await phone.receive(.accountUpdate).result == .noData)
        }
    }

    @Test func `a hint that arrives offline is fetched when the app is online again`() async throws {
        try await withWorld { world in
            let crm = try world.launched()
            let phone = world.phone(with: crm)
            await crm.networkChanged(to: .offline)
            world.server.edit(World.northwind, name: "Nord")
            #expect(try await phone.receive(.accountUpdate).result == .failed)
            #expect(world.server.fetches == 0)
            await crm.networkChanged(to: .unmetered)
            #expect(try await world.name == "Nord")
        }
    }
}
